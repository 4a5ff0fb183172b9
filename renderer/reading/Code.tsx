import { type ReactNode, useEffect, useMemo, useState } from 'react';
import type { Highlight } from './highlight.ts';
import { Text } from './marker.tsx';

/** Longer code is not coloured: it would take longer than a person waits. In characters. */
const LIMIT = 60_000;

let loaded: Highlight | null = null;

/** Colours code, once its own file has come; null until then. */
export function useHighlight(): Highlight | null {
  const [highlight, setHighlight] = useState<{ readonly run: Highlight } | null>(loaded && { run: loaded });
  useEffect(() => {
    if (highlight !== null) return;
    let isWanted = true;
    // Without it the code is there all the same, in one colour.
    import('./highlight.ts').then(
      (file) => {
        loaded = file.highlight;
        if (isWanted) setHighlight({ run: file.highlight });
      },
      () => undefined,
    );
    return () => {
      isWanted = false;
    };
  }, [highlight]);
  return highlight?.run ?? null;
}

/** Code in colours by its language; `language` = the word of the fence or the ending of a file's name. */
export function CodeText({ text, language }: { readonly text: string; readonly language: string }): ReactNode {
  const highlight = useHighlight();
  const spans = useMemo(
    () => (highlight === null || text.length > LIMIT ? null : highlight(text, language)),
    [highlight, text, language],
  );
  if (spans === null) return <Text text={text} />;
  return spans.map(({ text: piece, look }, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text, never moved
    <span key={at} className={look === null ? undefined : `code-${look}`}>
      <Text text={piece} />
    </span>
  ));
}

/** A block of code. */
export function Code({ text, language }: { readonly text: string; readonly language: string }) {
  return (
    <pre className="code-block mono" dir="ltr">
      <code>
        <CodeText text={text} language={language} />
      </code>
    </pre>
  );
}

/** `ts`, the ending of a path; '' if it has none. */
export function languageOf(path: string | null): string {
  return /\.(\w+)$/.exec(path ?? '')?.[1] ?? '';
}
