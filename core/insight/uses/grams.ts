// Equal runs of two texts by winnowing (Schleimer, Wilkerson, Aiken 2003): of every window of 20 neighbouring k-grams of
// 25 characters one is kept, the same in both texts, so that no equal run of 44 characters is missed. Kept in flat arrays:
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

/** Reports the grams that winnowing keeps of a text: hash, and where it begins. A long text in pieces. */
class Winnowing {
  readonly #hashes: Int32Array;
  #end = WINDOW - 1;
  #least = -1;

  constructor(text: string) {
    const grams = text.length - GRAM + 1;
    this.#hashes = grams < WINDOW ? NO_HASHES : gramHashes(text, grams);
  }

  get isDone(): boolean {
    return this.#end >= this.#hashes.length;
  }

  /** Those of the next so many windows. */
  next(windows: number, take: (hash: number, at: number) => void): void {
    const hashes = this.#hashes;
    const stop = Math.min(hashes.length, this.#end + windows);
    let least = this.#least;
    for (let end = this.#end; end < stop; end++) {
      const begin = end - WINDOW + 1;
      const known = least;
      if (least < begin) {
        least = begin;
        for (let at = begin + 1; at <= end; at++) if (hashes[at]! <= hashes[least]!) least = at;
      } else if (hashes[end]! <= hashes[least]!) least = end;
      if (least !== known) take(hashes[least]!, least);
    }
    this.#end = stop;
    this.#least = least;
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
 * How many times its length a text may be compared within runs that were found already. A text that repeats itself continues
 * alike at every shift, and comparing each would take the square of its length.
 */
const COMPARED_MOST = 16;

/** How far a text was compared. */
class Compared {
  last: EqualRun | null = null;
  readonly #byShift = new Map<number, number>();
  readonly #byText = new Map<number, number>();
  #left: number;

  constructor(length: number) {
    this.#left = length * COMPARED_MOST;
  }

  note(text: number, shift: number, { from, to }: { readonly from: number; readonly to: number }): void {
    this.#byShift.set(text * SHIFTS + shift, to);
    this.#byText.set(text, Math.max(to, this.#byText.get(text) ?? 0));
    this.#left -= to - from;
  }

  /**
   * Whether a gram need not be compared: it is in the last run that was found, and in what was compared at this shift. Where
   * too much was compared, at any shift: a run that continues behind the last one by as much as is always found is found
   * there by its next gram.
   */
  covers(at: number, text: number, shift: number): boolean {
    if (this.last === null || at + GRAM > this.last.to) return false;
    const to = this.#left > 0 ? this.#byShift.get(text * SHIFTS + shift) : this.#byText.get(text);
    return to !== undefined && to >= at + GRAM;
  }
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
    const found: EqualRun[] = [];
    const compared = new Compared(normalised.length);
    const take = (hash: number, at: number): void => {
      const best = this.#longest(normalised, hash, at, compared, read);
      if (best === null) return;
      while (found.length > 0 && best.from <= (found.at(-1)?.from ?? -1)) found.pop();
      found.push(best);
      compared.last = best;
    };
    for (const winnowing = new Winnowing(normalised); !winnowing.isDone; ) {
      winnowing.next(QUOTING_CHARS, take);
      if (pace.spend(Math.min(normalised.length, PIECE_CHARS))) yield;
    }
    return found;
  }

  // What was compared already is compared again only behind the last run that was found.
  #longest(own: string, hash: number, at: number, compared: Compared, read: ReadText): EqualRun | null {
    let best: EqualRun | null = null;
    const { last } = compared;
    const shelf = this.#shelf(hash);
    for (let slot = shelf.first(hash); slot >= 0; slot = shelf.next(slot, hash)) {
      const position = shelf.position(slot);
      const text = this.#textAt(position);
      const place = position - (this.#starts.at(text) >>> 0);
      if (compared.covers(at, text, place - at)) continue;
      const run = extend(own, at, read(text), place);
      if (run === null) continue;
      this.#compared += run.to - run.from;
      compared.note(text, place - at, run);
      if (best !== null && run.to - run.from <= best.to - best.from) continue;
      if (last === null || run.to > last.to || run.from < last.from) best = { ...run, text };
    }
    return best;
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

  /** Keeps a position, if there are not enough under its hash. */
  add(hash: number, position: number): void {
    let kept = 0;
    let at = this.#home(hash);
    for (; this.#positions[at] !== FREE; at = at + 1 === this.#hashes.length ? 0 : at + 1) {
      if (this.#hashes[at] === hash && ++kept === POSTINGS_MOST) return;
    }
    this.#hashes[at] = hash;
    this.#positions[at] = position;
    this.#size++;
    if (this.#size > this.#hashes.length * FULLEST) this.#grow();
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

// As far as both continue alike; null if that is too short.
function extend(own: string, at: number, other: string, place: number) {
  let [from, begin] = [at, place];
  while (from > 0 && begin > 0 && own.charCodeAt(from - 1) === other.charCodeAt(begin - 1)) {
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
