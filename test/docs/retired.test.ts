// Words that were retired are in no text that people read: documents, literals of the screen, comments and names of the program.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: a template of a source, as it is written there
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesBelow } from '../support/shared.ts';
import { commentsIn, namesIn, type SourceText, textsIn } from '../support/sourceTexts.ts';
import {
  RETIRED,
  RETIRED_IN_COMMENTS,
  RETIRED_IN_NAMES,
  RETIRED_IN_PROSE,
  RETIRED_ON_SCREEN,
  type Retired,
} from './retired.table.ts';

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
    const words = [...RETIRED, ...RETIRED_IN_PROSE];
    expect(documents.flatMap((file) => found(file, linesOf(file), words))).toEqual([]);
  });

  it('explain a word once', () => {
    const words = [...readFileSync(join(CHECKOUT, 'docs', 'glossary.md'), 'utf8').matchAll(/^\| \*\*(.+?)\*\* \|/gm)];
    const named = words.flatMap(([, names = '']) => names.split(' / '));
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter((word, at) => named.indexOf(word) !== at)).toEqual([]);
  });
});

describe('texts of the command line', () => {
  it('have no word that was retired', () => {
    const files = filesBelow(join(CHECKOUT, 'cli')).filter((file) => file.endsWith('.ts'));
    const texts = files.map((file) => [file, textsIn(file, readFileSync(file, 'utf8'))] as const);
    expect(texts.reduce((sum, [, each]) => sum + each.length, 0)).toBeGreaterThan(500);
    const words = [...RETIRED, ...RETIRED_IN_PROSE];
    expect(texts.flatMap(([file, each]) => found(file, each, words))).toEqual([]);
  });
});

describe('sentences that the core makes: reasons, reports, problems, help', () => {
  // What was said in the sample's session, and reasons of ignored records, which libraries store.
  const NOT_SAID_HERE = /\/core\/(?:sample|importers\/formats)\//;

  it('have no word that was retired', () => {
    const files = filesBelow(join(CHECKOUT, 'core')).filter(
      (file) => file.endsWith('.ts') && !NOT_SAID_HERE.test(file.replaceAll('\\', '/')),
    );
    const texts = files.map((file) => [file, textsIn(file, readFileSync(file, 'utf8'))] as const);
    expect(texts.reduce((sum, [, each]) => sum + each.length, 0)).toBeGreaterThan(2000);
    const words = [...RETIRED, ...RETIRED_IN_PROSE];
    expect(texts.flatMap(([file, each]) => found(file, each, words))).toEqual([]);
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
    const words = [...RETIRED, ...RETIRED_IN_PROSE, ...RETIRED_ON_SCREEN];
    expect(screenTexts.flatMap(([file, texts]) => found(file, texts, words))).toEqual([]);
  });
});

describe('the program', () => {
  const program = ['core', 'cli', 'renderer', 'electron']
    .flatMap((folder) => filesBelow(join(CHECKOUT, folder)))
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'))
    .map((file) => [file, readFileSync(file, 'utf8')] as const);

  it('is read by its comments, line by line, and by the words of its names', () => {
    const source = ['/**', ' * One', ' * two. */', "const tellSoon = '// not this'; // three", 'tellSoon.#aURL;'].join(
      '\n',
    );
    expect(commentsIn('a.ts', source).filter(({ text }) => text !== '')).toEqual([
      { line: 2, text: 'One' },
      { line: 3, text: 'two.' },
      { line: 4, text: 'three' },
    ]);
    expect(namesIn('a.ts', source)).toEqual([
      { name: 'tellSoon', words: ['tell', 'soon'] },
      { name: 'aURL', words: ['a', 'url'] },
    ]);
    expect(program.length).toBeGreaterThan(1000);
  });

  it('has no word in its comments that was retired', () => {
    const words = [...RETIRED, ...RETIRED_IN_COMMENTS];
    expect(program.flatMap(([file, source]) => found(file, commentsIn(file, source), words))).toEqual([]);
  });

  it('has no word in its names that was retired', () => {
    const named = program.flatMap(([file, source]) =>
      namesIn(file, source).flatMap(({ name, words }) =>
        RETIRED_IN_NAMES.filter(({ word }) => words.some((one) => word.test(one))).map(
          ({ instead }) => `${file.slice(CHECKOUT.length + 1)}: ${name} → ${instead}`,
        ),
      ),
    );
    expect(named).toEqual([]);
  });
});
