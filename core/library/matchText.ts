// browser-safe

import type { TranscriptSummary } from '../protocol/types.ts';
import type { Now } from '../search/types.ts';
import { smallLetters } from '../util/canonicalForms.ts';
import { libraryTest, onlyWords, parseLibraryFilter } from './language.ts';

/** What transcripts are found by, in small letters: kept by whoever asks more than once. */
export type FoundBy = WeakMap<TranscriptSummary, string>;

function textOf(one: TranscriptSummary, texts: FoundBy): string {
  const known = texts.get(one);
  if (known !== undefined) return known;
  const { title, toolTitle, firstText, project, format, model, noteText } = one;
  const parts = [title, toolTitle, firstText, project, format, model, noteText, ...one.files.map(baseName)];
  const made = smallLetters([...parts, ...one.tags.map((tag) => `#${tag}`)].join('\n'));
  texts.set(one, made);
  return made;
}

function baseName(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}

/** Folders would match too much; a word with a slash, or the beginning of an id, is meant to. */
function hasWord(one: TranscriptSummary, word: string, texts: FoundBy): boolean {
  if (textOf(one, texts).includes(word)) return true;
  if (/[\\/]/.test(word)) return one.files.some((path) => smallLetters(path).includes(word));
  return word.length >= 8 && one.id.startsWith(word);
}

/** How a filter is read that nobody gave a clock: words about time do not fit. */
const NO_TIME: Now = { time: 0, zoneMinutes: 0 };

/**
 * Transcripts that a filter of the list lets through (see language.ts): words occur in title, first words, project, format, model, file name (with a slash, path), tags (`#tag`) or notes.
 * If nothing but words is asked for and none has them, those whose title, project or file name has the letters of every word in
 * that order. All, if the filter makes no sense.
 */
export function matchText(
  transcripts: readonly TranscriptSummary[],
  text: string,
  texts: FoundBy = new WeakMap(),
  now: Now = NO_TIME,
): readonly TranscriptSummary[] {
  const parsed = parseLibraryFilter(text, now);
  if (parsed.expr.kind === 'all') return transcripts;
  const test = libraryTest(parsed, (one, word) => hasWord(one, word, texts));
  if (test === null) return transcripts;
  const found = transcripts.filter(test);
  const words = onlyWords(parsed.expr);
  if (found.length > 0 || words === null || words.some((word) => word.length < 3)) return found;
  return transcripts.filter((one) => words.every((word) => isFuzzy(one, word)));
}

function isFuzzy({ title, project, files }: TranscriptSummary, word: string): boolean {
  return [title, project ?? '', ...files].some((text) => hasLetters(smallLetters(text), word));
}

/** Letters in order, each at most a few after the one before: `lgntst` finds `login test`. */
function hasLetters(text: string, word: string): boolean {
  for (let start = text.indexOf(word[0]!); start !== -1; start = text.indexOf(word[0]!, start + 1)) {
    let at = start;
    let i = 1;
    for (; i < word.length; i++) {
      const next = text.indexOf(word[i]!, at + 1);
      if (next === -1 || next - at > 4) break;
      at = next;
    }
    if (i === word.length) return true;
  }
  return false;
}
