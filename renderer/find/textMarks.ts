// Where a text is in another one: what is marked in rows and in what replaced it. The pattern is that of the search over
// the requests.
import { type TextPattern, textPattern } from '../../core/util/textPattern.ts';

/** A stretch of a text, [start, end) in UTF-16 units. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

const MOST = 200;

/** The first 200 stretches that match, in order. */
export function marksOf(text: string, pattern: TextPattern): readonly Stretch[] {
  return pattern.find(text, MOST).map(({ from, to }) => ({ start: from, end: to }));
}

/** Where any of some words is; of those that overlap the first, and the longest of those that begin there. */
export function marksOfWords(text: string, words: readonly string[]): readonly Stretch[] {
  const found = words.flatMap((word) => {
    const pattern = textPattern(word, { wholeWord: true });
    return pattern === null ? [] : marksOf(text, pattern);
  });
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  const marks: Stretch[] = [];
  for (const mark of found) if (mark.start >= (marks.at(-1)?.end ?? 0)) marks.push(mark);
  return marks;
}
