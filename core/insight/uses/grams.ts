// Equal runs of two texts by winnowing (Schleimer, Wilkerson, Aiken 2003): of every window of 20 neighbouring k-grams of
// 25 characters one is kept, the same in both texts, so that no equal run of 44 characters is missed. Kept in flat arrays:
// eight bytes and a posting for about each tenth character.

const GRAM = 25;
const WINDOW = 20;
/** Equal runs of this many characters, white space normalised, are always found. */
export const RUN_LEAST = GRAM + WINDOW - 1;
/** Postings of one gram that are kept: the earliest. */
const POSTINGS_MOST = 8;

const BASE = 0x01000193;
let topPower = 1;
for (let i = 1; i < GRAM; i++) topPower = Math.imul(topPower, BASE);

/** Tells the grams that winnowing keeps of a text: hash, and where it begins. */
export function winnow(text: string, take: (hash: number, at: number) => void): void {
  const grams = text.length - GRAM + 1;
  if (grams < WINDOW) return;
  const hashes = gramHashes(text, grams);
  let least = -1;
  for (let end = WINDOW - 1; end < grams; end++) {
    const begin = end - WINDOW + 1;
    const known = least;
    if (least < begin) {
      least = begin;
      for (let at = begin + 1; at <= end; at++) if (hashes[at]! <= hashes[least]!) least = at;
    } else if (hashes[end]! <= hashes[least]!) least = end;
    if (least !== known) take(hashes[least]!, least);
  }
}

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

/** The last run that was found, and how far texts were compared, by text and shift. */
interface Compared {
  readonly last: EqualRun | null;
  readonly compared: Map<number, number>;
}

/** Texts by their grams. */
export class GramIndex {
  #keys = new Int32Array(1 << 12);
  /** First posting of the gram at a place, plus one; 0 = the place is free. */
  #heads = new Int32Array(1 << 12);
  #size = 0;
  #texts = new Int32Array(1 << 12);
  #places = new Int32Array(1 << 12);
  #next = new Int32Array(1 << 12);
  #postings = 0;

  /** Adds a text under a number; texts are added in the order in which they were said. */
  add(normalised: string, text: number): void {
    winnow(normalised, (hash, at) => this.#post(hash, text, at));
  }

  /** The runs of a text that are in those added, in their order: the longest ones, none within another. */
  runs(normalised: string, read: ReadText): readonly EqualRun[] {
    const found: EqualRun[] = [];
    const compared = new Map<number, number>();
    winnow(normalised, (hash, at) => {
      const best = this.#longest(normalised, hash, at, { last: found.at(-1) ?? null, compared }, read);
      if (best === null) return;
      while (found.length > 0 && best.from <= (found.at(-1)?.from ?? -1)) found.pop();
      found.push(best);
    });
    return found;
  }

  // What was compared already is compared again only behind the last run that was found.
  #longest(own: string, hash: number, at: number, { last, compared }: Compared, read: ReadText): EqualRun | null {
    let best: EqualRun | null = null;
    const isInLast = last !== null && at + GRAM <= last.to;
    for (let posting = this.#heads[this.#find(hash)]!; posting > 0; posting = this.#next[posting - 1]!) {
      const text = this.#texts[posting - 1]!;
      const place = this.#places[posting - 1]!;
      const shift = text * SHIFTS + (place - at);
      if (isInLast && (compared.get(shift) ?? 0) >= at + GRAM) continue;
      const run = extend(own, at, read(text), place);
      if (run === null) continue;
      compared.set(shift, run.to);
      if (best !== null && run.to - run.from <= best.to - best.from) continue;
      if (last === null || run.to > last.to || run.from < last.from) best = { ...run, text };
    }
    return best;
  }

  #post(hash: number, text: number, at: number): void {
    const place = this.#find(hash);
    let last = this.#heads[place]!;
    for (let kept = 1; last > 0 && this.#next[last - 1]! > 0; kept++) {
      if (kept + 1 >= POSTINGS_MOST) return;
      last = this.#next[last - 1]!;
    }
    if (this.#postings === this.#texts.length) this.#growPostings();
    this.#texts[this.#postings] = text;
    this.#places[this.#postings] = at;
    this.#postings++;
    if (last > 0) {
      this.#next[last - 1] = this.#postings;
      return;
    }
    this.#keys[place] = hash;
    this.#heads[place] = this.#postings;
    this.#size++;
    if (this.#size * 2 > this.#keys.length) this.#growTable();
  }

  #find(hash: number): number {
    const mask = this.#keys.length - 1;
    let place = Math.imul(hash, 0x9e3779b1) & mask;
    while (this.#heads[place] !== 0 && this.#keys[place] !== hash) place = (place + 1) & mask;
    return place;
  }

  #growPostings(): void {
    const more = (list: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> => {
      const grown = new Int32Array(list.length * 2);
      grown.set(list);
      return grown;
    };
    [this.#texts, this.#places, this.#next] = [more(this.#texts), more(this.#places), more(this.#next)];
  }

  #growTable(): void {
    const [keys, heads] = [this.#keys, this.#heads];
    this.#keys = new Int32Array(keys.length * 2);
    this.#heads = new Int32Array(keys.length * 2);
    for (const [at, head] of heads.entries()) {
      if (head === 0) continue;
      const place = this.#find(keys[at]!);
      this.#keys[place] = keys[at]!;
      this.#heads[place] = head;
    }
  }
}

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

/** A text with one space for each run of white space. */
export function normaliseSpace(text: string): string {
  return text.replace(/\s+/g, ' ');
}

/** Where the characters of a normalised text are in the text itself. Read once, asked often. */
export class RawPlaces {
  /** Of each run of several blanks: where it is in the normalised text, and how many characters were left out up to it. */
  readonly #runs: number[] = [];
  readonly #leftOut: number[] = [];

  constructor(text: string) {
    let leftOut = 0;
    for (const { 0: blanks, index } of text.matchAll(/\s{2,}/g)) {
      this.#runs.push(index - leftOut);
      leftOut += blanks.length - 1;
      this.#leftOut.push(leftOut);
    }
  }

  /** The same range in the text itself. */
  range({ from, to }: { readonly from: number; readonly to: number }): { readonly from: number; readonly to: number } {
    return { from: this.#raw(from), to: this.#raw(to) };
  }

  // What was left out by runs before it.
  #raw(at: number): number {
    let [low, high] = [0, this.#runs.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#runs[middle]! < at) low = middle + 1;
      else high = middle;
    }
    return at + (low === 0 ? 0 : this.#leftOut[low - 1]!);
  }
}
