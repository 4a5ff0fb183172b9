import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findInWords, findMarks, mergeMarks } from '../../core/search/marks.ts';
import { snippetOf } from '../../core/search/snippet.ts';
import { indexText, WORD_MAX_CHARS, wordsOf } from '../../core/search/words.ts';
import { scanText } from '../oracle/plainScan.ts';

const words = (text: string) => wordsOf(text).words.map((word) => word.text);

describe('words of a text', () => {
  it.each([
    ['The Quick fox', ['the', 'quick', 'fox']],
    ['snake_case camelCase', ['snake', 'case', 'camelcase']],
    ['src/file.ts:42', ['src', 'file', 'ts', '42']],
    ['Café ÅNGSTRÖM naïve', ['cafe', 'angstrom', 'naive']],
    ['检索 全文', ['检', '索', '全', '文']],
    ['abc检索42', ['abc', '检', '索', '42']],
    ['ひらがなカタカナ', ['ひ', 'ら', 'が', 'な', 'カ', 'タ', 'カ', 'ナ']],
    ['한국어', ['한', '국', '어']],
    ['привет Мир', ['привет', 'мир']],
    ['“quoted” — dash', ['quoted', 'dash']],
    ['a\u00a0b\u200bc', ['a', 'b', 'c']],
    ['=> && --', []],
    ['\ue000role \ue001', ['role']],
  ])('%s', (text, expected) => {
    expect(words(text)).toEqual(expected);
  });

  it('reads what follows a backslash both ways', () => {
    const { words: first, second } = wordsOf('C:\\new line\\nthen \\x');
    expect(first.map((word) => word.text)).toEqual(['c', 'ew', 'line', 'then', 'x']);
    expect(second.map((word) => word.text)).toEqual(['new', 'nthen']);
  });

  it('keeps the beginning of a very long word', () => {
    expect(words(`${'a'.repeat(200)} b`)).toEqual(['a'.repeat(WORD_MAX_CHARS), 'b']);
  });

  it('says where they stand', () => {
    const text = 'Zwölf 检索 x';
    expect(wordsOf(text).words.map(({ start, end }) => text.slice(start, end))).toEqual(['Zwölf', '检', '索', 'x']);
  });
});

// Letters of every kind that the rules tell apart, in any order.
const ALPHABET = [
  'a',
  'N',
  'n',
  't',
  'Z',
  '9',
  '_',
  ' ',
  '\\',
  '"',
  '.',
  '検',
  '索',
  'ก',
  '่',
  '한',
  'é',
  'e\u0301',
  'İ',
  'ß',
  'Ω',
  '\u0301',
  '💥',
  '—',
  '\ue000',
  '\ue001',
  '\0',
  '\n',
  '\ud800',
  'x'.repeat(70),
  'y'.repeat(31),
  'z'.repeat(33),
];
const TEXT = fc.array(fc.constantFrom(...ALPHABET), { maxLength: 30 }).map((pieces) => pieces.join(''));

describe('words against a scan character by character', () => {
  it('finds the same', () => {
    const property = fc.property(TEXT, (text) => {
      const { words: first, second } = wordsOf(text);
      const scanned = scanText(text);
      expect({ words: first.map((w) => w.text), single: second.map((w) => w.text) }).toEqual(scanned);
    });
    fc.assert(property, { seed: 3, numRuns: 5000 });
  });

  it('gives the index the same words', () => {
    const property = fc.property(TEXT, (text) => {
      const scanned = scanText(text);
      const indexed = indexText(text)
        .replace(/[A-Z]/g, (letter) => letter.toLowerCase())
        .split(/[\u0000-\u002f\u003a-\u0060\u007b-\u007f]+/)
        .filter((word) => word !== '' && word !== '\ue000');
      expect(indexed).toEqual([...scanned.words, ...scanned.single]);
    });
    fc.assert(property, { seed: 4, numRuns: 5000 });
  });
});

describe('marks and snippets', () => {
  const term = (text: string, prefix = false) => ({ kind: 'words' as const, words: words(text), prefix });
  const marked = (text: string, ...terms: ReturnType<typeof term>[]) =>
    findMarks(text, terms).map(({ start, end }) => text.slice(start, end));

  it('marks words, phrases and beginnings', () => {
    expect(marked('The cat, the CATS and a Cat', term('cat'))).toEqual(['cat', 'Cat']);
    expect(marked('The cat, the CATS and a Cat', term('cat', true))).toEqual(['cat', 'CATS', 'Cat']);
    expect(marked('open file.ts then file ts', term('file.ts'))).toEqual(['file.ts', 'file ts']);
    expect(marked('全文检索 检 索', term('检索'))).toEqual(['检索', '检 索']);
    expect(marked('read_file reads', term('read fi', true))).toEqual(['read_file']);
    expect(marked('one\\ntwo', term('two'), term('ntwo'))).toEqual(['ntwo', 'two']);
  });

  it('cuts a snippet around what was found, on one line, with the marks in place', () => {
    const text = `${'before '.repeat(100)}the\nneedle here${' after'.repeat(100)}`;
    const snippet = snippetOf(text, findMarks(text, [term('needle')]));
    expect(snippet.marks.map(({ start, end }) => snippet.text.slice(start, end))).toEqual(['needle']);
    expect(snippet.text).not.toContain('\n');
    expect([snippet.cutBefore, snippet.cutAfter]).toEqual([true, true]);
    expect(snippet.text.length).toBeLessThan(420);
  });

  it('prefers the place where most of the query stands', () => {
    const text = `alpha ${'x '.repeat(200)} alpha beta`;
    const snippet = snippetOf(text, findMarks(text, [term('alpha'), term('beta')]));
    expect(snippet.marks).toHaveLength(2);
  });

  it('joins marks that overlap', () => {
    const marks = findMarks('a b c', [term('a b'), term('b c')]);
    expect(mergeMarks(marks)).toEqual([{ start: 0, end: 5 }]);
  });
});

describe('marks in texts of ASCII', () => {
  const PIECES = ['a', 'an', 'N', 'n', 'na', 'b', '1', ' ', '  ', '\\', '\\n', '.', '_', '\n', '"'];
  const text = fc.array(fc.constantFrom(...PIECES), { maxLength: 16 }).map((pieces) => pieces.join(''));
  const term = fc.record({
    kind: fc.constant('words' as const),
    words: fc.array(fc.constantFrom('a', 'an', 'n', 'na', 'nna', 'b', 'ab'), { minLength: 1, maxLength: 3 }),
    prefix: fc.boolean(),
  });
  it('are those that the definition finds', () => {
    const property = fc.property(text, fc.array(term, { minLength: 1, maxLength: 2 }), (where, terms) => {
      expect(findMarks(where, terms)).toEqual(findInWords(where, terms));
    });
    fc.assert(property, { seed: 6, numRuns: 20_000 });
  });
});
