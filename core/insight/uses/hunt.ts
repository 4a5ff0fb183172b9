// Many texts looked for at once. Each is found by three of its words side by side, or by as many as it has: words of the text that is read are hashed
// on the way, and only where a hash is known it is compared. Runs of white space match each other, and so do slashes of both kinds.
// Linear in what is read, whatever the number of texts.

import { detached, Ints } from '../../util/ints.ts';
import { NumberMap } from '../../util/numberMap.ts';
import { type Pace, PIECE_CHARS } from './pace.ts';

/** A text to be looked for. Letter case counts. */
export interface Needle {
  readonly text: string;
  /** It does not count within a longer word. */
  readonly isWhole: boolean;
}

/** Called with each place: which needle, and its range. */
export type TakeHit = (id: number, from: number, to: number) => void;

/** A needle as it is found: by the word at these places, with the one or two words before it where there are any. */
interface Entry {
  readonly id: number;
  readonly text: string;
  readonly from: number;
  readonly to: number;
  /** Of the word, together with those before it. */
  readonly hash: number;
  readonly isWhole: boolean;
}

interface Word {
  readonly from: number;
  readonly to: number;
  readonly hash: number;
}

/** Where a search is, and the hashes of the word before and of the two words before. */
interface SearchPlace {
  readonly at: number;
  readonly before: number;
  readonly pairBefore: number;
}

const START: SearchPlace = { at: 0, before: 0, pairBefore: 0 };

/** Runs of words of a text of which one is chosen. */
const RUNS_MOST = 60;

let wordCodes: Uint8Array | null = null;

function wordTable(): Uint8Array {
  if (wordCodes !== null) return wordCodes;
  const table = new Uint8Array(65536);
  for (let code = 0; code < 65536; code++) {
    if (/[\p{L}\p{M}\p{N}_]/u.test(String.fromCharCode(code))) table[code] = 1;
  }
  wordCodes = table;
  return table;
}

const FILTER_BITS = 21;

/** The texts looked for, and the search. */
export class TextHunt {
  readonly #filter = new Int32Array(1 << (FILTER_BITS - 5));
  readonly #texts: string[] = [];
  /** Of each text: number, place of the word, whether it must be whole, the next one of the same hash plus one. */
  readonly #ids = new Ints();
  readonly #froms = new Ints();
  readonly #tos = new Ints();
  readonly #wholes = new Ints();
  readonly #nexts = new Ints();
  /** The first text of a hash, plus one. */
  readonly #heads = new NumberMap();
  /** Without a word to find them by. */
  readonly #loose: Entry[] = [];
  readonly #words = wordTable();

  /** Looks for this text too, under a number. */
  add(needle: Needle, id: number): void {
    const entry = this.#entryOf(needle, id);
    const { hash } = entry;
    if (entry.to === entry.from) {
      this.#loose.push(entry);
      return;
    }
    const bit = filterAt(hash);
    this.#filter[bit >>> 5]! |= 1 << (bit & 31);
    const nth = this.#texts.push(entry.text);
    this.#ids.push(id);
    this.#froms.push(entry.from);
    this.#tos.push(entry.to);
    this.#wholes.push(entry.isWhole ? 1 : 0);
    this.#nexts.push(this.#heads.get(hash) ?? 0);
    this.#heads.set(hash, nth);
  }

  /** Reports all places of all texts in a string. */
  search(text: string, take: TakeHit): void {
    for (const entry of this.#loose) this.#searchLoose(text, entry, take);
    this.#searchWords(text, START, text.length, take);
  }

  /** The same, a long string in pieces. */
  *searchInPieces(text: string, take: TakeHit, pace: Pace): Generator<void, void, void> {
    for (const entry of this.#loose) this.#searchLoose(text, entry, take);
    for (let place = START; place.at < text.length; ) {
      place = this.#searchWords(text, place, place.at + PIECE_CHARS, take);
      if (pace.spend(Math.min(text.length, PIECE_CHARS))) yield;
    }
  }

  // By the words that begin before `until`.
  #searchWords(text: string, from: SearchPlace, until: number, take: TakeHit): SearchPlace {
    const words = this.#words;
    const filter = this.#filter;
    const { length } = text;
    const end = Math.min(until, length);
    let { at, before, pairBefore } = from;
    while (at < end) {
      let code = text.charCodeAt(at);
      if (words[code] === 0) {
        at++;
        continue;
      }
      const begin = at;
      let hash = 0;
      do {
        hash = (Math.imul(hash, 31) + code) | 0;
        at++;
        code = at < length ? text.charCodeAt(at) : 0;
      } while (words[code] === 1);
      const pair = pairOf(before, hash);
      const triple = tripleOf(pairBefore, hash);
      before = hash;
      pairBefore = pair;
      const own = filterAt(hash);
      if ((filter[own >>> 5]! & (1 << (own & 31))) !== 0) this.#compare(text, begin, at, hash, take);
      const both = filterAt(pair);
      if ((filter[both >>> 5]! & (1 << (both & 31))) !== 0) this.#compare(text, begin, at, pair, take);
      const three = filterAt(triple);
      if ((filter[three >>> 5]! & (1 << (three & 31))) !== 0) this.#compare(text, begin, at, triple, take);
    }
    return { at, before, pairBefore };
  }

  #compare(text: string, from: number, to: number, hash: number, take: TakeHit): void {
    for (let nth = this.#heads.get(hash) ?? 0; nth > 0; nth = this.#nexts.at(nth - 1)) {
      const needle = this.#texts[nth - 1]!;
      const [first, behind] = [this.#froms.at(nth - 1), this.#tos.at(nth - 1)];
      if (behind - first !== to - from || !isAt(text, from, needle, first, behind)) continue;
      const begin = matchBackward(text, from, needle, first);
      if (begin < 0) continue;
      const end = matchForward(text, to, needle, behind);
      if (end < 0 || (this.#wholes.at(nth - 1) === 1 && !this.#isWhole(text, begin, end))) continue;
      take(this.#ids.at(nth - 1), begin, end);
    }
  }

  #searchLoose(text: string, { id, text: needle, isWhole }: Entry, take: TakeHit): void {
    const first = needle.charAt(0);
    for (let at = text.indexOf(first); at >= 0; at = text.indexOf(first, at + 1)) {
      const end = matchForward(text, at, needle, 0);
      if (end >= 0 && !(isWhole && !this.#isWhole(text, at, end))) take(id, at, end);
    }
  }

  // A border is needed only where the text ends in a letter.
  #isWhole(text: string, from: number, to: number): boolean {
    const isWord = (at: number): boolean => at >= 0 && at < text.length && this.#words[text.charCodeAt(at)] === 1;
    return !(isWord(from) && isWord(from - 1)) && !(isWord(to - 1) && isWord(to));
  }

  // By words side by side that the fewest others are found by, of those the longest; or by the only word. Of a text that
  // may be within a longer word, not by the words at its ends.
  #entryOf({ text: given, isWhole }: Needle, id: number): Entry {
    const text = detached(
      given
        .trim()
        .replace(/\s+/g, ' ')
        .replace(/[\\/]+/g, '/'),
    );
    const words = this.#wordsIn(text).filter(({ from, to }) => isWhole || (from > 0 && to < text.length));
    let [fewest, length] = [Number.POSITIVE_INFINITY, 0];
    let best: Word = { from: 0, to: 0, hash: 0 };
    for (const { first, from, to, hash } of runsOf(words)) {
      const others = this.#count(hash);
      if (others > fewest || (others === fewest && to - first <= length)) continue;
      [fewest, length] = [others, to - first];
      best = { from, to, hash };
    }
    return { id, text, ...best, isWhole };
  }

  #count(hash: number): number {
    let count = 0;
    for (let nth = this.#heads.get(hash) ?? 0; nth > 0; nth = this.#nexts.at(nth - 1)) count++;
    return count;
  }

  #wordsIn(text: string): readonly Word[] {
    const found: Word[] = [];
    for (let at = 0; at < text.length; at++) {
      const from = at;
      while (at < text.length && this.#words[text.charCodeAt(at)] === 1) at++;
      if (at > from) found.push({ from, to: at, hash: hashOf(text.slice(from, at)) });
    }
    return found;
  }
}

// Runs of three words, or of as many as there are: the last word, where the first begins, and the hash of all.
function runsOf(words: readonly Word[]): readonly (Word & { readonly first: number })[] {
  const size = Math.min(3, words.length);
  return words.slice(0, RUNS_MOST + size).flatMap(({ from, to, hash }, nth) => {
    const [one, two] = [words[nth - size + 1], words[nth - 1]];
    if (one === undefined || nth < size - 1) return [];
    if (size === 1 || two === undefined) return [{ from, to, hash, first: from }];
    const whole = size === 2 ? pairOf(two.hash, hash) : tripleOf(pairOf(one.hash, two.hash), hash);
    return [{ from, to, hash: whole, first: one.from }];
  });
}

function hashOf(word: string): number {
  let hash = 0;
  for (let at = 0; at < word.length; at++) hash = (Math.imul(hash, 31) + word.charCodeAt(at)) | 0;
  return hash;
}

function pairOf(before: number, hash: number): number {
  return (Math.imul(before, 0x01000193) ^ hash) | 0;
}

function tripleOf(pair: number, hash: number): number {
  return (Math.imul(pair, 0x27d4eb2f) ^ hash ^ 0x5bd1e995) | 0;
}

function filterAt(hash: number): number {
  return Math.imul(hash, 0x9e3779b1) >>> (32 - FILTER_BITS);
}

const SPACE = 0x20;
const SLASH = 0x2f;

// True if the word at these places of the needle stands here.
function isAt(text: string, at: number, needle: string, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (needle.charCodeAt(i) !== text.charCodeAt(at + i - from)) return false;
  return true;
}

// Where the pattern ends whose part behind `begin` begins here; -1 = it does not stand here.
function matchForward(text: string, from: number, pattern: string, begin: number): number {
  let at = from;
  for (let i = begin; i < pattern.length; i++) {
    const wanted = pattern.charCodeAt(i);
    const found = at < text.length ? text.charCodeAt(at) : -1;
    if (!sameSign(found, wanted)) return -1;
    at++;
    if (wanted === SPACE || wanted === SLASH) while (at < text.length && sameSign(text.charCodeAt(at), wanted)) at++;
  }
  return at;
}

// Where the pattern begins whose part before `end` ends here; -1 = it does not stand here.
function matchBackward(text: string, to: number, pattern: string, end: number): number {
  let at = to;
  for (let i = end - 1; i >= 0; i--) {
    const wanted = pattern.charCodeAt(i);
    const found = at > 0 ? text.charCodeAt(at - 1) : -1;
    if (!sameSign(found, wanted)) return -1;
    at--;
    if (wanted === SPACE || wanted === SLASH) while (at > 0 && sameSign(text.charCodeAt(at - 1), wanted)) at--;
  }
  return at;
}

function sameSign(found: number, wanted: number): boolean {
  if (wanted === SPACE) return isSpace(found);
  if (wanted === SLASH) return found === SLASH || found === 0x5c;
  return found === wanted;
}

// The code of a white space character.
function isSpace(code: number): boolean {
  if (code === 0x20 || (code >= 9 && code <= 13)) return true;
  return code >= 0xa0 && /\s/.test(String.fromCharCode(code));
}
