// Equal runs of two texts by winnowing (Schleimer, Wilkerson, Aiken 2003): of every window of 20 neighbouring k-grams of
// 25 characters one is kept, the same in both texts, so that no equal run of 44 characters is missed. Of a gram that is
// everywhere only the first places are kept; a window in which it is the least is found by its next one. Kept in flat arrays:
// about one byte for each character.
import { Ints } from '../../util/ints.ts';
import { type Pace, PIECE_CHARS } from './pace.ts';

const GRAM = 25;
const WINDOW = 20;
/** Equal runs of this many characters, white space normalised, are always found. */
export const RUN_LEAST = GRAM + WINDOW - 1;
/** Looking for what is quoted takes longer than keeping what may be. */
const QUOTING_CHARS = PIECE_CHARS / 4;
/** Postings of one gram that are kept: the earliest. */
const POSTINGS_MOST = 8;

const BASE = 0x01000193;
let topPower = 1;
for (let i = 1; i < GRAM; i++) topPower = Math.imul(topPower, BASE);

/** Takes a gram, or (`length` = RUN_LEAST) a whole window: its hash, and where it begins. False = there are too many of it. */
type Offer = (hash: number, at: number, length: number) => boolean;

const UNKNOWN = 0;
const ROOM = 1;
const FULL = 2;

/**
 * Offers the grams that winnowing chooses of a text, a long text in pieces. Of a window whose least gram is everywhere the least
 * one of which there is room is offered too, and where all of them are everywhere the window itself: so no window goes without.
 */
class Winnowing {
  readonly #hashes: Int32Array;
  /** Of each gram what came of offering it. */
  readonly #states: Uint8Array;
  #end = WINDOW - 1;
  #least = -1;
  /** Of the last window whose least gram is everywhere: where it ends, and its least gram of which there is room. */
  #anotherEnd = -1;
  #another = -1;

  constructor(text: string) {
    const grams = text.length - GRAM + 1;
    this.#hashes = grams < WINDOW ? NO_HASHES : gramHashes(text, grams);
    this.#states = new Uint8Array(this.#hashes.length);
  }

  get isDone(): boolean {
    return this.#end >= this.#hashes.length;
  }

  /** Those of the next so many windows. */
  next(windows: number, offer: Offer): void {
    const hashes = this.#hashes;
    const stop = Math.min(hashes.length, this.#end + windows);
    let least = this.#least;
    for (let end = this.#end; end < stop; end++) {
      const begin = end - WINDOW + 1;
      if (least < begin) {
        least = begin;
        for (let at = begin + 1; at <= end; at++) if (hashes[at]! <= hashes[least]!) least = at;
      } else if (hashes[end]! <= hashes[least]!) least = end;
      if (!this.#hasRoom(least, offer)) this.#offerAnother(begin, end, offer);
    }
    this.#end = stop;
    this.#least = least;
  }

  #hasRoom(at: number, offer: Offer): boolean {
    const states = this.#states;
    if (states[at] === UNKNOWN) states[at] = offer(this.#hashes[at]!, at, GRAM) ? ROOM : FULL;
    return states[at] === ROOM;
  }

  // Windows mostly slide by one: only what has come in is compared then.
  #offerAnother(begin: number, end: number, offer: Offer): void {
    const [hashes, states] = [this.#hashes, this.#states];
    const slid = this.#anotherEnd === end - 1 && (this.#another < 0 || this.#another >= begin);
    if (!slid) this.#another = this.#leastWithRoom(begin, end);
    else if (states[end] !== FULL && (this.#another < 0 || hashes[end]! <= hashes[this.#another]!)) this.#another = end;
    this.#anotherEnd = end;
    while (this.#another >= 0 && !this.#hasRoom(this.#another, offer)) this.#another = this.#leastWithRoom(begin, end);
    if (this.#another < 0) offer(windowHash(hashes[begin]!, hashes[end]!), begin, RUN_LEAST);
  }

  // -1 = all of them are everywhere.
  #leastWithRoom(begin: number, end: number): number {
    const [hashes, states] = [this.#hashes, this.#states];
    let least = -1;
    for (let at = begin; at <= end; at++) {
      if (states[at] !== FULL && (least < 0 || hashes[at]! <= hashes[least]!)) least = at;
    }
    return least;
  }
}

const NO_HASHES = new Int32Array(0);

function gramHashes(text: string, grams: number): Int32Array {
  const hashes = new Int32Array(grams);
  let rolling = 0;
  for (let at = 0; at < GRAM; at++) rolling = (Math.imul(rolling, BASE) + text.charCodeAt(at)) | 0;
  for (let at = 0; ; at++) {
    // Mixed, so that the least hash is not the text's own least letter.
    hashes[at] = Math.imul(rolling ^ (rolling >>> 15), 0x85ebca6b);
    if (at + 1 >= grams) return hashes;
    rolling = (rolling - Math.imul(text.charCodeAt(at), topPower)) | 0;
    rolling = (Math.imul(rolling, BASE) + text.charCodeAt(at + GRAM)) | 0;
  }
}

// The first and the last gram of a window cover it.
function windowHash(first: number, last: number): number {
  const hash = Math.imul(first ^ (last >>> 16), 0xc2b2ae35) + Math.imul(last, 0x27d4eb2f);
  return hash ^ (hash >>> 15);
}

/** A run of one text that is in another. Offsets of both are of the normalised texts. */
export interface EqualRun {
  readonly from: number;
  readonly to: number;
  /** Number of the other text, as it was given to {@link GramIndex.add}. */
  readonly text: number;
  readonly begin: number;
}

/** Reads a text that was added. */
export type ReadText = (text: number) => string;

/** Texts are shorter than half of this. */
const SHIFTS = 2 ** 30;

/**
 * How many times its length a text may be compared. A text that repeats itself continues alike at every shift, and comparing
 * each to both ends would take the square of its length.
 */
const COMPARED_MOST = 16;

/** What was found of a text, and how far it was compared. */
class Compared {
  readonly runs: EqualRun[] = [];
  readonly #byShift = new Map<number, EqualRun>();
  /** The run that reaches furthest. */
  #furthest: EqualRun | null = null;
  readonly #length: number;
  #left: number;

  constructor(length: number) {
    this.#length = length;
    this.#left = length * COMPARED_MOST;
  }

  add(run: EqualRun, at: number): void {
    this.runs.push(run);
    this.#byShift.set(run.text * SHIFTS + run.begin - run.from, run);
    if (this.#furthest === null || run.to > this.#furthest.to) this.#furthest = run;
    this.#left -= run.to - (this.isTooMuch ? at : run.from);
  }

  /** From now on runs are followed to their ends only. */
  get isTooMuch(): boolean {
    return this.#left <= 0;
  }

  /** Whether these characters are in a run that was found at this shift. */
  hasAt(at: number, length: number, text: number, shift: number): boolean {
    const known = this.#byShift.get(text * SHIFTS + shift);
    return known !== undefined && known.from <= at && at + length <= known.to;
  }

  /** Whether whatever is always found, and holds these characters, is within one run already. */
  holdsAround(at: number, length: number): boolean {
    const run = this.#furthest;
    const [from, to] = [Math.max(0, at + length - RUN_LEAST), Math.min(this.#length, at + RUN_LEAST)];
    return run !== null && run.from <= from && to <= run.to;
  }
}

interface Gram {
  readonly hash: number;
  readonly at: number;
  readonly length: number;
}

// None within another; of the same the earliest.
function longestOf(runs: EqualRun[]): readonly EqualRun[] {
  const sorted = runs.sort((a, b) => a.from - b.from || b.to - a.to || a.text - b.text || a.begin - b.begin);
  let end = 0;
  return sorted.filter(({ to }) => {
    const isWithin = to <= end;
    end = Math.max(end, to);
    return !isWithin;
  });
}

/** Texts by their grams. */
export class GramIndex {
  /** By the first bits of the hash, so that none is long to grow. */
  readonly #shelves = Array.from({ length: SHELVES }, () => new Shelf());
  /** Where each text begins when all are put end to end; as unsigned numbers. */
  readonly #starts = new Ints();
  #end = 0;
  #compared = 0;

  /** Characters that were compared so far, to find runs. */
  get compared(): number {
    return this.#compared;
  }

  /** Adds a text under a number: the numbers go up from 0, in the order in which the texts were said. */
  *add(normalised: string, text: number, pace: Pace): Generator<void, void, void> {
    if (text !== this.#starts.length) throw new RangeError(`${text} is not the next text`);
    this.#starts.push(this.#end);
    if (this.#end + normalised.length > POSITIONS_MOST) return;
    const begin = this.#end;
    this.#end += normalised.length;
    for (const winnowing = new Winnowing(normalised); !winnowing.isDone; ) {
      winnowing.next(PIECE_CHARS, (hash, at) => this.#shelf(hash).add(hash, begin + at));
      if (pace.spend(Math.min(normalised.length, PIECE_CHARS))) yield;
    }
  }

  /** The runs of a text that are in those added, in their order: the longest ones, none within another. */
  *runs(normalised: string, read: ReadText, pace: Pace): Generator<void, readonly EqualRun[], void> {
    const compared = new Compared(normalised.length);
    const offer: Offer = (hash, at, length) => this.#compare(normalised, { hash, at, length }, compared, read);
    for (const winnowing = new Winnowing(normalised); !winnowing.isDone; ) {
      winnowing.next(QUOTING_CHARS, offer);
      if (pace.spend(Math.min(normalised.length, PIECE_CHARS))) yield;
    }
    return longestOf(compared.runs);
  }

  // False if there may be more places than those that are kept.
  #compare(own: string, { hash, at, length }: Gram, compared: Compared, read: ReadText): boolean {
    const shelf = this.#shelf(hash);
    let places = 0;
    for (let slot = shelf.first(hash); slot >= 0; slot = shelf.next(slot, hash)) {
      places++;
      if (compared.isTooMuch && compared.holdsAround(at, length)) continue;
      const position = shelf.position(slot);
      const text = this.#textAt(position);
      const place = position - (this.#starts.at(text) >>> 0);
      if (compared.hasAt(at, length, text, place - at)) continue;
      const before = compared.isTooMuch ? RUN_LEAST - length : own.length;
      const run = extend(own, at, read(text), place, before);
      if (run === null) continue;
      this.#compared += run.to - run.from;
      compared.add({ ...run, text }, at);
    }
    return places < POSTINGS_MOST;
  }

  #shelf(hash: number): Shelf {
    return this.#shelves[hash >>> (32 - SHELF_BITS)]!;
  }

  // The last text that begins there or before.
  #textAt(position: number): number {
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#starts.at(middle) >>> 0 <= position) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

const SHELF_BITS = 8;
const SHELVES = 1 << SHELF_BITS;
/** Positions are unsigned numbers of 32 bits; 2^32 - 1 is a free slot. What is said behind them is not found as quoted. */
const POSITIONS_MOST = 0xffffffff;
const FREE = 0xffffffff;

/** Positions by hashes, several of one hash in the order in which they came. Linear probing, eight bytes a slot. */
class Shelf {
  #hashes = new Int32Array(64);
  #positions = new Uint32Array(64).fill(FREE);
  #size = 0;

  position(slot: number): number {
    return this.#positions[slot]!;
  }

  /** The slot of the first position under a hash; -1 = there is none. */
  first(hash: number): number {
    return this.#find(this.#home(hash), hash);
  }

  /** The slot of the next one. */
  next(slot: number, hash: number): number {
    return this.#find(slot + 1, hash);
  }

  /** Keeps a position; false if there are enough under its hash. */
  add(hash: number, position: number): boolean {
    let kept = 0;
    let at = this.#home(hash);
    for (; this.#positions[at] !== FREE; at = at + 1 === this.#hashes.length ? 0 : at + 1) {
      if (this.#hashes[at] === hash && ++kept === POSTINGS_MOST) return false;
    }
    this.#hashes[at] = hash;
    this.#positions[at] = position;
    this.#size++;
    if (this.#size > this.#hashes.length * FULLEST) this.#grow();
    return true;
  }

  #find(from: number, hash: number): number {
    const { length } = this.#hashes;
    for (let at = from === length ? 0 : from; this.#positions[at] !== FREE; at = at + 1 === length ? 0 : at + 1) {
      if (this.#hashes[at] === hash) return at;
    }
    return -1;
  }

  // The bits that chose the shelf do not choose the slot.
  #home(hash: number): number {
    const mixed = Math.imul(hash << SHELF_BITS, 0x9e3779b1) >>> 0;
    return Math.floor((mixed / 0x100000000) * this.#hashes.length);
  }

  // From a free slot on, so that those of one hash come in their order.
  #grow(): void {
    const [hashes, positions] = [this.#hashes, this.#positions];
    const { length } = hashes;
    this.#hashes = new Int32Array(Math.ceil(length * GROWTH));
    this.#positions = new Uint32Array(this.#hashes.length).fill(FREE);
    const begin = positions.indexOf(FREE);
    for (let nth = 0; nth < length; nth++) {
      const from = (begin + nth) % length;
      if (positions[from] === FREE) continue;
      let at = this.#home(hashes[from]!);
      while (this.#positions[at] !== FREE) at = at + 1 === this.#hashes.length ? 0 : at + 1;
      this.#hashes[at] = hashes[from]!;
      this.#positions[at] = positions[from]!;
    }
  }
}

const FULLEST = 0.8;
const GROWTH = 1.3;

// As far as both continue alike, but no more than so many characters before; null if that is too short.
function extend(own: string, at: number, other: string, place: number, before: number) {
  let [from, begin] = [at, place];
  const first = Math.max(0, at - before);
  while (from > first && begin > 0 && own.charCodeAt(from - 1) === other.charCodeAt(begin - 1)) {
    from--;
    begin--;
  }
  let [to, end] = [at, place];
  while (to < own.length && end < other.length && own.charCodeAt(to) === other.charCodeAt(end)) {
    to++;
    end++;
  }
  return to - from < RUN_LEAST || to <= at ? null : { from, to, begin };
}
