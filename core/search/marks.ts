// browser-safe
import type { Term } from './types.ts';
import { type Word, wordsOf } from './words.ts';

/** A place in a text where a term of the query stands: [start, end) in UTF-16 units; which term. */
export interface Mark {
  readonly start: number;
  readonly end: number;
  readonly term: number;
}

/** Every place where one of the terms stands, in order. Terms that overlap are all told. */
export function findMarks(text: string, terms: readonly Term[]): Mark[] {
  if (terms.length === 0 || text === '') return [];
  const { words, second } = wordsOf(text);
  const finder = new Finder(terms);
  const marks: Mark[] = [];
  for (let at = 0; at < words.length; at++) finder.at(words, at, marks);
  for (const word of second) finder.at([word], 0, marks);
  return marks.sort((a, b) => a.start - b.start || a.term - b.term);
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

/** The last word of a term that begins there; null if it does not stand there. */
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
