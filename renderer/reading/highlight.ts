// The grammars of code: loaded when the first code is drawn.
import { common, createLowlight } from 'lowlight';

/** What a stretch of code is; the styles know these words. */
export type CodeLook = 'keyword' | 'string' | 'number' | 'comment' | 'name' | 'type' | 'meta' | 'in' | 'out';

export interface CodeSpan {
  readonly text: string;
  readonly look: CodeLook | null;
}

/** The code in stretches, in order, or null for a language that is not known. */
export type Highlight = (text: string, language: string) => readonly CodeSpan[] | null;

const lowlight = createLowlight(common);
lowlight.registerAlias({
  typescript: ['mts', 'cts'],
  javascript: ['mjs', 'cjs'],
  bash: ['console', 'shell', 'shellsession'],
});

const LOOKS: readonly (readonly [RegExp, CodeLook])[] = [
  [/keyword|literal|selector-tag|hljs-name|built_in/, 'keyword'],
  [/string|regexp|symbol|quote/, 'string'],
  [/number/, 'number'],
  [/comment/, 'comment'],
  [/title|section|attr|property/, 'name'],
  [/type|class/, 'type'],
  [/meta|doctag|tag/, 'meta'],
  [/addition/, 'in'],
  [/deletion/, 'out'],
];

type Node = ReturnType<typeof lowlight.highlight>['children'][number];

export const highlight: Highlight = (text, language) => {
  const name = language.toLowerCase();
  if (!lowlight.registered(name)) return null;
  const spans: CodeSpan[] = [];
  const walk = (nodes: readonly Node[], look: CodeLook | null): void => {
    for (const node of nodes) {
      if (node.type === 'text') spans.push({ text: node.value, look });
      else if (node.type === 'element') walk(node.children, lookOf(node.properties.className) ?? look);
    }
  };
  walk(lowlight.highlight(name, text).children, null);
  return spans;
};

function lookOf(classes: unknown): CodeLook | null {
  const words = Array.isArray(classes) ? classes.join(' ') : '';
  return LOOKS.find(([pattern]) => pattern.test(words))?.[1] ?? null;
}
