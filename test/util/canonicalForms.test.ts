// A text is found in whatever spelling it was typed and recorded: a person sees no difference between them.
import { describe, expect, test } from 'vitest';
import { canonicalForms, clustersOf } from '../../core/util/canonicalForms.ts';
import { type Rng, seededRng } from '../../core/util/rng.ts';
import { textPattern } from '../../core/util/textPattern.ts';

/** Characters with several spellings, and such without. */
const SIGNS = [
  ...'abz09_-./\\(){}[]*+?^$|"\'',
  ...'éñüåøßçžđ',
  ...'ếộựẫ',
  ...'한글가각힣',
  ...'漢字🙂',
  '\u212b',
  '\u2126',
  '\u0958',
  'q\u0307\u0323',
  '\u0f71\u0f72',
];

const pick = <T>(rng: Rng, of: readonly T[]): T => of[rng.below(of.length)]!;

const randomWord = (rng: Rng): string => Array.from({ length: 1 + rng.below(12) }, () => pick(rng, SIGNS)).join('');

/** The text with each of its characters in any of its spellings. */
const respelt = (rng: Rng, text: string): string =>
  clustersOf(text)
    .map((cluster) => pick(rng, canonicalForms(cluster)))
    .join('');

// Signs that Unicode itself never writes (Å for Å) are typed, and not gone through backwards.
const recordedOf = (rng: Rng, text: string): string => respelt(rng, text.normalize('NFD'));

describe('a text', () => {
  test('is found in every spelling, where it is, 4,000 times', () => {
    let others = 0;
    for (let seed = 0; seed < 4_000; seed++) {
      const rng = seededRng(seed);
      const text = [randomWord(rng), randomWord(rng)].join(' ');
      const [asked, recorded] = [respelt(rng, text), recordedOf(rng, text)];
      if (asked !== recorded) others++;
      const matchCase = rng.below(2) === 0;
      const before = rng.below(2) === 0 ? '' : '— ';
      const found = textPattern(asked, { matchCase })?.find(`${before}${recorded}\n`);
      expect(found, `seed ${seed}: ${asked} in ${recorded}`).toContainEqual({
        from: before.length,
        to: before.length + recorded.length,
      });
    }
    expect(others).toBeGreaterThan(1_000);
  });

  test('is looked for in every message that may hold it, written as JSON in whatever way', () => {
    for (let seed = 0; seed < 2_000; seed++) {
      const rng = seededRng(seed);
      const text = randomWord(rng);
      const json = JSON.stringify({ content: recordedOf(rng, text) });
      const escapes = json.replace(
        /[^\u0000-\u007f]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
      const pattern = textPattern(respelt(rng, text));
      expect(pattern?.mayStandIn(json), `seed ${seed}: ${text} in ${json}`).toBe(true);
      expect(pattern?.mayStandIn(escapes), `seed ${seed}: ${text} in ${escapes}`).toBe(true);
    }
  });

  test('is what Unicode says is equivalent, and nothing else', () => {
    for (let seed = 0; seed < 2_000; seed++) {
      const rng = seededRng(seed);
      const [one, other] = [randomWord(rng), randomWord(rng)];
      const spans = textPattern(one, { matchCase: true })?.find(other) ?? [];
      for (const { from, to } of spans) {
        expect(other.slice(from, to).normalize('NFD'), `seed ${seed}`).toBe(one.normalize('NFD'));
      }
    }
  });

  test.each([
    ['Hangul', '한글 '.repeat(3_000)],
    ['one word of letters with marks', 'ế'.repeat(20_000)],
    ['marks without end', `a${'\u0301'.repeat(5_000)}`],
  ])('may be long: %s', (_name, text) => {
    for (const [asked, recorded] of [
      [text.normalize('NFC'), text.normalize('NFD')],
      [text.normalize('NFD'), text.normalize('NFC')],
    ] as const) {
      expect(textPattern(asked)?.find(`x ${recorded} y`, 1)).toHaveLength(1);
    }
  });
});

test('clusters join to the text', () => {
  for (let seed = 0; seed < 500; seed++) {
    const rng = seededRng(seed);
    const text = respelt(rng, randomWord(rng) + randomWord(rng));
    expect(clustersOf(text).join('')).toBe(text);
  }
  expect(clustersOf('\u0301a\ud800\u0301')).toEqual(['\u0301', 'a', '\ud800\u0301']);
});
