// Many texts looked for at once. Each is found by three of its words side by side, or by as many as it has: words of the text that is read are hashed
// on the way, and only where a hash is known it is compared. Runs of white space match each other, and so do slashes of both kinds.
// Linear in what is read, whatever the number of texts.

import { detached } from '../../util/ints.ts';
import { NumberMap } from '../../util/numberMap.ts';
import { isBlank, normaliseSpaceAndSlashes, RawPlaces } from './normalText.ts';
import { type Pace, PIECE_CHARS } from './pace.ts';
import { hashOfText, powerOf, RangeHashes } from './rangeHash.ts';

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
  const table = new Uint8Array(CODES);
  for (let first = 0; first < CODES; first += CODES_AT_ONCE) {
    const codes = String.fromCharCode(...Array.from({ length: CODES_AT_ONCE }, (_, nth) => first + nth));
    for (const run of codes.matchAll(/[\p{L}\p{M}\p{N}_]+/gu)) {
      table.fill(1, first + run.index, first + run.index + run[0].length);
    }
  }
  wordCodes = table;
  return table;
}

const CODES = 65536;
const CODES_AT_ONCE = 4096;

const FILTER_BITS = 21;

/** Of a text that is looked for: what is known of it without a look at it. The next one of the same words plus one. */
const [ID, WORD_AT, LENGTH, HASH, POWER, IS_WHOLE, NEXT] = [0, 1, 2, 3, 4, 5, 6];
const NEEDLE_INTS = 7;
/** Needles side by side in one array: one that grew would be copied. */
const PAGE_BITS = 11;
const PAGE = 1 << PAGE_BITS;

/** A string that is searched. */
interface Searched {
  readonly normal: string;
  readonly hashes: RangeHashes;
  /** Where its characters are in the string itself; null = they are the same. */
  readonly places: () => RawPlaces | null;
}

/** The texts looked for, and the search. */
export class TextHunt {
  readonly #filter = new Int32Array(1 << (FILTER_BITS - 5));
  readonly #texts: string[] = [];
  /** In pages, each with all of its needles: nothing else of most of them is ever read. */
  readonly #needles: Int32Array[] = [];
  /** The first text of a hash, plus one. */
  readonly #heads = new NumberMap();
  /** Without a word to find them by. */
  readonly #loose: Entry[] = [];
  readonly #words = wordTable();
  /** Of the last search that came to its end. */
  #room: Int32Array | null = null;

  /** Looks for this text too, under a number. */
  add(needle: Needle, id: number): void {
    const entry = this.#entryOf(needle, id);
    const { hash, text, from, isWhole } = entry;
    if (entry.to === from) {
      this.#loose.push(entry);
      return;
    }
    const bit = filterAt(hash);
    this.#filter[bit >>> 5]! |= 1 << (bit & 31);
    const nth = this.#texts.push(text);
    const next = this.#heads.get(hash) ?? 0;
    const own = [id, from, text.length, hashOfText(text), powerOf(text.length), isWhole ? 1 : 0, next];
    if ((nth - 1) % PAGE === 0) this.#needles.push(new Int32Array(PAGE * NEEDLE_INTS));
    this.#needles.at(-1)!.set(own, ((nth - 1) % PAGE) * NEEDLE_INTS);
    this.#heads.set(hash, nth);
  }

  /** Reports all places of all texts in a string. */
  search(text: string, take: TakeHit): void {
    for (const entry of this.#loose) this.#searchLoose(text, entry, take);
    const searched = this.#read(text);
    this.#searchWords(searched, START, text.length, take);
    this.#room = searched.hashes.room;
  }

  /** The same, a long string in pieces. */
  *searchInPieces(text: string, take: TakeHit, pace: Pace): Generator<void, void, void> {
    for (const entry of this.#loose) this.#searchLoose(text, entry, take);
    const searched = this.#read(text);
    for (let place = START; place.at < searched.normal.length; ) {
      place = this.#searchWords(searched, place, place.at + PIECE_CHARS, take);
      if (pace.spend(Math.min(text.length, PIECE_CHARS))) yield;
    }
    this.#room = searched.hashes.room;
  }

  #read(text: string): Searched {
    const normal = normaliseSpaceAndSlashes(text);
    // Another search may begin before this one is over.
    const hashes = new RangeHashes(normal, this.#room);
    this.#room = null;
    let known: RawPlaces | null = null;
    const places = (): RawPlaces | null => {
      if (normal.length !== text.length) known ??= new RawPlaces(text, true);
      return known;
    };
    return { normal, hashes, places };
  }

  // By the words that begin before `until`.
  #searchWords(searched: Searched, from: SearchPlace, until: number, take: TakeHit): SearchPlace {
    const text = searched.normal;
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
      if ((filter[own >>> 5]! & (1 << (own & 31))) !== 0) this.#compare(searched, begin, hash, take);
      const both = filterAt(pair);
      if ((filter[both >>> 5]! & (1 << (both & 31))) !== 0) this.#compare(searched, begin, pair, take);
      const three = filterAt(triple);
      if ((filter[three >>> 5]! & (1 << (three & 31))) !== 0) this.#compare(searched, begin, triple, take);
    }
    return { at, before, pairBefore };
  }

  // The texts whose word begins here.
  #compare({ normal, hashes, places }: Searched, word: number, hash: number, take: TakeHit): void {
    let nth = this.#heads.get(hash) ?? 0;
    while (nth > 0) {
      const needles = this.#needles[(nth - 1) >>> PAGE_BITS]!;
      const own = ((nth - 1) & (PAGE - 1)) * NEEDLE_INTS;
      const from = word - needles[own + WORD_AT]!;
      const to = from + needles[own + LENGTH]!;
      if (from >= 0 && to <= normal.length && hashes.of(from, to, needles[own + POWER]!) === needles[own + HASH]!) {
        // Different texts may have one hash.
        const stands = normal.startsWith(this.#texts[nth - 1]!, from);
        if (stands && (needles[own + IS_WHOLE] === 0 || this.#isWhole(normal, from, to))) {
          const range = places()?.range({ from, to }) ?? { from, to };
          take(needles[own + ID]!, range.from, range.to);
        }
      }
      nth = needles[own + NEXT]!;
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
    const text = detached(normaliseSpaceAndSlashes(given.trim()));
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
    for (let nth = this.#heads.get(hash) ?? 0; nth > 0; count++) {
      nth = this.#needles[(nth - 1) >>> PAGE_BITS]![((nth - 1) & (PAGE - 1)) * NEEDLE_INTS + NEXT]!;
    }
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

function sameSign(found: number, wanted: number): boolean {
  if (wanted === SPACE) return isBlank(found);
  if (wanted === SLASH) return found === SLASH || found === 0x5c;
  return found === wanted;
}
