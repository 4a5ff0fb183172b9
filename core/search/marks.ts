// browser-safe
import type { Term } from './types.ts';
import { WORD_MAX_CHARS, type Word, wordsOf } from './words.ts';

/** A place in a text where a term of the query stands: [start, end) in UTF-16 units; which term. */
export interface Mark {
  readonly start: number;
  readonly end: number;
  readonly term: number;
}

/** Every place where one of the terms is, in order. Terms that overlap are all reported. */
export function findMarks(text: string, terms: readonly Term[]): Mark[] {
  if (terms.length === 0 || text === '') return [];
  return NOT_ASCII.test(text) || terms.some(isLong) ? findInWords(text, terms) : findInAscii(text, terms);
}

const NOT_ASCII = /[^\u0000-\u007f]/;

function isLong({ words }: Term): boolean {
  return words.some(({ length }) => length >= WORD_MAX_CHARS);
}

/** The definition: goes through the words of the text. */
export function findInWords(text: string, terms: readonly Term[]): Mark[] {
  const { words, second } = wordsOf(text);
  const finder = new Finder(terms);
  const marks: Mark[] = [];
  for (let at = 0; at < words.length; at++) finder.at(words, at, marks);
  for (const word of second) finder.at([word], 0, marks);
  return marks.sort((a, b) => a.start - b.start || a.term - b.term);
}

const WORD = 'A-Za-z0-9';
/** A backslash and the letter of an escape, before a word: see wordsOf for its two readings. */
const ESCAPE = `\\\\[abfnrtv](?=[${WORD}])`;
const NO_ESCAPE = `\\\\(?![abfnrtv][${WORD}])`;
const BETWEEN = `(?:${ESCAPE}|${NO_ESCAPE}|[^${WORD}\\\\])+`;
const BEFORE_WORD = `(?:(?<=\\\\[abfnrtv])|(?<![${WORD}]))`;
// A phrase does not begin with a second reading.
const BEFORE_PHRASE = `(?:(?<=\\\\[abfnrtv])|(?<![${WORD}\\\\])|(?<=\\\\)(?![abfnrtv][${WORD}]))`;

/** The same for a text of ASCII alone and words that are not cut, ten times as fast. */
function findInAscii(text: string, terms: readonly Term[]): Mark[] {
  const marks: Mark[] = [];
  for (const [index, { words, prefix }] of terms.entries()) {
    if (words.some((word) => NOT_ASCII.test(word))) continue;
    const before = words.length === 1 ? BEFORE_WORD : BEFORE_PHRASE;
    const after = prefix ? `[${WORD}]*` : `(?![${WORD}])`;
    const pattern = new RegExp(`${before}${words.map(anyCase).join(BETWEEN)}${after}`, 'g');
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      marks.push({ start: match.index, end: match.index + match[0].length, term: index });
      // Occurrences of a phrase may overlap.
      pattern.lastIndex = match.index + 1;
    }
  }
  return marks.sort((a, b) => a.start - b.start || a.term - b.term);
}

// Not by the flag `i`: the letter of an escape is a small one.
function anyCase(word: string): string {
  return word.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}

/** Marks as stretches that do not overlap, for drawing. */
export function mergeMarks(marks: readonly Mark[]): { start: number; end: number }[] {
  const merged: { start: number; end: number }[] = [];
  for (const { start, end } of marks) {
    const last = merged.at(-1);
    if (last !== undefined && start < last.end) last.end = Math.max(last.end, end);
    else merged.push({ start, end });
  }
  return merged;
}

interface Candidate {
  readonly term: Term;
  readonly index: number;
}

class Finder {
  /** Terms by their first word, if that has to stand whole. */
  readonly #byFirst = new Map<string, Candidate[]>();
  readonly #prefixes: Candidate[] = [];

  constructor(terms: readonly Term[]) {
    for (const [index, term] of terms.entries()) {
      const first = term.words[0];
      if (first === undefined) continue;
      if (term.prefix && term.words.length === 1) this.#prefixes.push({ term, index });
      else this.#byFirst.set(first, [...(this.#byFirst.get(first) ?? []), { term, index }]);
    }
  }

  at(words: readonly Word[], at: number, marks: Mark[]): void {
    const word = words[at]!;
    for (const { term, index } of this.#byFirst.get(word.text) ?? []) {
      const last = lastOf(words, at, term);
      if (last !== null) marks.push({ start: word.start, end: last.end, term: index });
    }
    for (const { term, index } of this.#prefixes) {
      if (word.text.startsWith(term.words[0]!)) marks.push({ start: word.start, end: word.end, term: index });
    }
  }
}

/** The last word of a term that begins there; null if it is not there. */
function lastOf(words: readonly Word[], at: number, term: Term): Word | null {
  const end = at + term.words.length;
  if (end > words.length) return null;
  for (let i = 1; i < term.words.length; i++) {
    const found = words[at + i]!.text;
    const wanted = term.words[i]!;
    const isLast = i === term.words.length - 1;
    if (isLast && term.prefix ? !found.startsWith(wanted) : found !== wanted) return null;
  }
  return words[end - 1]!;
}
