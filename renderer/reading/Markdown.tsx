// Markdown as elements: the parser's tokens are drawn one by one, so that no text of a transcript is ever read as HTML.
// Nothing is fetched: an image is named, a link shows where it points and does not go there.
import MarkdownIt, { type Token } from 'markdown-it';
import { createElement, memo, type ReactNode, useMemo } from 'react';
import { Code } from './Code.tsx';
import { Growing } from './Growing.tsx';
import { Text } from './marker.tsx';
import { markdownPieces } from './pieces.ts';

const parser = new MarkdownIt({ html: false, linkify: false, typographer: false, maxNesting: 24 });

/** Elements that a token may become; any other token is drawn by its content alone. */
const ELEMENTS: ReadonlySet<string> = new Set([
  ...['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'blockquote', 'strong', 'em', 's'],
  ...['table', 'thead', 'tbody', 'tr', 'th', 'td'],
]);

/** A text as Markdown. */
export function Markdown({ text }: { readonly text: string }) {
  const pieces = useMemo(() => markdownPieces(text), [text]);
  return (
    <div className="markdown" dir="auto">
      <Growing count={pieces.length} draw={(at) => <Piece text={pieces[at] ?? ''} />} />
    </div>
  );
}

const Piece = memo(function Piece({ text }: { readonly text: string }) {
  const drawn = useMemo(() => drawTokens(parser.parse(text, {})), [text]);
  return <div className="md-piece">{drawn}</div>;
});

interface Open {
  readonly token: Token | null;
  readonly children: ReactNode[];
}

/** The parser's flat list as nested elements. */
function drawTokens(tokens: readonly Token[]): ReactNode[] {
  const root: Open = { token: null, children: [] };
  const stack: Open[] = [root];
  tokens.forEach((token, key) => {
    const top = stack.at(-1) ?? root;
    if (token.nesting === 1) stack.push({ token, children: [] });
    else if (token.nesting === -1) {
      if (stack.length < 2) return;
      stack.pop();
      (stack.at(-1) ?? root).children.push(drawOpen(top, key));
    } else top.children.push(drawAlone(token, key));
  });
  return root.children;
}

function drawOpen({ token, children }: Open, key: number): ReactNode {
  if (token === null || token.hidden) return children;
  if (token.type === 'link_open') {
    return (
      <span key={key} className="md-link" title={String(token.attrGet('href') ?? '')}>
        {children}
      </span>
    );
  }
  if (!ELEMENTS.has(token.tag)) return children;
  if (token.tag === 'table') {
    return (
      <div key={key} className="md-table">
        <table>{children}</table>
      </div>
    );
  }
  const start = token.tag === 'ol' ? Number(token.attrGet('start') ?? 1) : null;
  return createElement(token.tag, { key, ...(start !== null && { start }) }, ...children);
}

function drawAlone(token: Token, key: number): ReactNode {
  switch (token.type) {
    case 'inline':
      return <span key={key}>{drawTokens(token.children ?? [])}</span>;
    case 'code_inline':
      return (
        <code key={key}>
          <Text text={token.content} />
        </code>
      );
    case 'fence':
    case 'code_block':
      return (
        <Code key={key} text={token.content.replace(/\n$/, '')} language={token.info.trim().split(/\s+/)[0] ?? ''} />
      );
    case 'softbreak':
    case 'hardbreak':
      return <br key={key} />;
    case 'hr':
      return <hr key={key} />;
    case 'image':
      return (
        <span key={key} className="md-image">
          image: <Text text={`${token.content} (${token.attrGet('src') ?? ''})`} />
        </span>
      );
    default:
      return <Text key={key} text={token.content} />;
  }
}
