// Where a text stands in another one: what is marked in rows and in what replaced it. Runs of white space match each
// other, as in the search over the requests.

/** A stretch of a text, [start, end) in UTF-16 units. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

interface Switches {
  readonly matchCase: boolean;
  readonly wholeWord: boolean;
}

const MOST = 200;
const SPECIAL = /[.*+?^${}()|[\]\\]/g;
const NOT_WORD_BEFORE = '(?<![\\p{L}\\p{N}_])';
const NOT_WORD_AFTER = '(?![\\p{L}\\p{N}_])';

/** The pattern of a text; null if there is nothing to look for. */
export function patternOf(text: string, { matchCase, wholeWord }: Switches): RegExp | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  const body = trimmed
    .split(/\s+/)
    .map((word) => word.replace(SPECIAL, '\\$&'))
    .join('\\s+');
  // A sign at the end of a text ends it by itself.
  const begin = wholeWord && /^[\p{L}\p{N}_]/u.test(trimmed) ? NOT_WORD_BEFORE : '';
  const end = wholeWord && /[\p{L}\p{N}_]$/u.test(trimmed) ? NOT_WORD_AFTER : '';
  return new RegExp(`${begin}${body}${end}`, matchCase ? 'gu' : 'giu');
}

/** The first 200 stretches that match, in order. */
export function marksOf(text: string, pattern: RegExp): readonly Stretch[] {
  const marks: Stretch[] = [];
  for (const match of text.matchAll(pattern)) {
    marks.push({ start: match.index, end: match.index + match[0].length });
    if (marks.length === MOST) break;
  }
  return marks;
}

/** Where any of some words stands; of those that overlap the first, and the longest of those that begin there. */
export function marksOfWords(text: string, words: readonly string[]): readonly Stretch[] {
  const found = words.flatMap((word) => {
    const pattern = patternOf(word, { matchCase: false, wholeWord: true });
    return pattern === null ? [] : marksOf(text, pattern);
  });
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  const marks: Stretch[] = [];
  for (const mark of found) if (mark.start >= (marks.at(-1)?.end ?? 0)) marks.push(mark);
  return marks;
}
