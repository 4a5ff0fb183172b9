// Words that were retired are in no text that people read: documents, and literals of the screen.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: a template of a source, as it is written there
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesBelow } from '../support/shared.ts';
import { type SourceText, textsIn } from '../support/sourceTexts.ts';
import { RETIRED, RETIRED_ON_SCREEN, type Retired } from './retired.table.ts';

const CHECKOUT = resolve(import.meta.dirname, '..', '..');

/** Folders whose sources speak to a person at a screen. The gallery and the mock engine speak to us. */
const SCREEN = ['renderer', 'electron'];
const NOT_SHOWN = /\/renderer\/dev\/|\.d\.ts$/;

const sources = SCREEN.flatMap((folder) => filesBelow(join(CHECKOUT, folder))).filter(
  (file) => /\.tsx?$/.test(file) && !NOT_SHOWN.test(file.replaceAll('\\', '/')),
);
const screenTexts = sources.map((file) => [file, textsIn(file, readFileSync(file, 'utf8'))] as const);

const found = (file: string, texts: readonly SourceText[], words: readonly Retired[]) =>
  texts.flatMap(({ line, text }) =>
    words
      .filter(({ word }) => word.test(text))
      .map(({ instead }) => `${file.slice(CHECKOUT.length + 1)}:${line} “${text}” → ${instead}`),
  );

/** Decisions are left as they were made, with the words of their day. */
const documents = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'].map((name) => join(CHECKOUT, name)),
  ...readdirSync(join(CHECKOUT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(CHECKOUT, 'docs', name)),
];

const linesOf = (file: string): readonly SourceText[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .map((text, index) => ({ line: index + 1, text }));

describe('documents', () => {
  it('have no word that was retired', () => {
    expect(documents.flatMap((file) => found(file, linesOf(file), RETIRED))).toEqual([]);
  });

  it('explain a word once', () => {
    const words = [...readFileSync(join(CHECKOUT, 'docs', 'glossary.md'), 'utf8').matchAll(/^\| \*\*(.+?)\*\* \|/gm)];
    const named = words.flatMap(([, names = '']) => names.split(' / '));
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter((word, at) => named.indexOf(word) !== at)).toEqual([]);
  });
});

describe('texts of the screen', () => {
  it('are found: in JSX, attributes, templates; not in names, keys and comparisons', () => {
    const source = [
      'import a from "a b";',
      'const kind: "one two" = key === "three four" ? "five six" : `seven ${n} eight`;',
      'const element = <p className="nine ten" title="Eleven">twelve {kind}</p>;',
    ].join('\n');
    expect(textsIn('a.tsx', source)).toEqual([
      { line: 2, text: 'five six' },
      { line: 2, text: 'seven … eight' },
      { line: 3, text: 'Eleven' },
      { line: 3, text: 'twelve' },
    ]);
    expect(screenTexts.reduce((sum, [, texts]) => sum + texts.length, 0)).toBeGreaterThan(1000);
  });

  it('have no word that was retired', () => {
    const words = [...RETIRED, ...RETIRED_ON_SCREEN];
    expect(screenTexts.flatMap(([file, texts]) => found(file, texts, words))).toEqual([]);
  });
});
