// Counts in sentences have their thousands set off: every such number is written by one of a few functions.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { filesBelow } from '../support/shared.ts';

const CHECKOUT = resolve(import.meta.dirname, '..', '..');
const FOLDERS = ['core', 'cli', 'renderer', 'electron'];
/** The gallery and the mock engine speak to us; the examples are programs that people change. */
const NOT_SHOWN = /\/renderer\/dev\/|\/policy\/custom\/examples\.ts$|\.d\.ts$/;

/** Of these there may be ten thousand, and a number comes before them. */
const COUNTED =
  'tokens?|tok|bytes|characters|messages|events|records|transcripts|requests|files|rows|lines|blocks|points|px|pixels';
const COUNT = new RegExp(`\\$\\{([^{}]*)\\} (?:more |other |separate )?(?:${COUNTED})\\b`, 'g');
const WRITTEN = /^(?:grouped|countOf|plural|format[A-Z]\w*)\(/;
/** What is put into a sentence before such a word and is no number, or one that is written by then. */
const WORDS = /^(?:(?:message\.)?role|TIER_LABEL\[tier\]|figure|found|tokens\(.*\))$|^step\.tokens$/;
/** What is hashed, or part of a request: it cannot be said otherwise. */
const FIXED = ['core/engine/jobs/fileIdentity.ts', 'core/view/evictedImage.ts'];

function ungroupedIn(file: string): readonly string[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((text, at) => {
      // What only a fault of the program says.
      if (/^\s*(?:\*|\/\/)|new (?:Range)?Error\(|\bassert\(|broken\.push\(/.test(text)) return [];
      const counts = [...text.matchAll(COUNT)].map(([, expression = '']) => expression);
      return counts
        .filter((expression) => !WRITTEN.test(expression) && !WORDS.test(expression))
        .map((expression) => `${file.slice(CHECKOUT.length + 1)}:${at + 1} ${expression}`);
    });
}

it('are grouped', () => {
  const sources = FOLDERS.flatMap((folder) => filesBelow(join(CHECKOUT, folder))).filter(
    (file) =>
      /\.tsx?$/.test(file) && !NOT_SHOWN.test(file.replaceAll('\\', '/')) && !FIXED.some((one) => file.endsWith(one)),
  );
  expect(sources.length).toBeGreaterThan(1000);
  expect(sources.flatMap(ungroupedIn)).toEqual([]);
});
