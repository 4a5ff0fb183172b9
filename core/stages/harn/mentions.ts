// Which results are kept alive by what the roots name. A result that is named is filed under one of its identifiers that
// is: as long as that one is named, nothing need be asked. Only where it is named no more another one is looked for. A
// result that nothing names waits under each of its identifiers: where one is named first, those that wait there are
// filed. In a long session nearly all results are filed at any time, so that few wait.
import { grownInts } from '../../util/ints.ts';

/** The end of a list of results. */
const END = -1;
/** Instead of the next place of a list: the place is in none, or is the last one. */
const NOWHERE = 0;
const LAST = 1;
const FIRST_PLACE = 2;

/** Follows how often identifiers are named, and of which results one is at least. */
export class Mentions {
  /** How often each identifier is named among the roots. */
  #counts = new Int32Array(1024);
  /** 1 for those as which results are filed: as `#counts` said when `settle` was called last. */
  #isNamed = new Uint8Array(1024);
  /** Identifiers that were named first, or no more, since. */
  readonly #turned: number[] = [];
  /** By rank: the identifiers of a result. */
  readonly #idsOf: (rank: number) => Int32Array;
  #count = 0;
  /** By rank: 1 if one of its identifiers is named, that one, and the next result that is filed there. */
  #isFiled = new Uint8Array(1024);
  #under = new Int32Array(1024);
  #next = new Int32Array(1024);
  /** 1 = a result that nobody needs to follow. */
  #isDropped = new Uint8Array(1024);
  /** By identifier: 1 + the first result that is filed there; 0 = none is. */
  #filed = new Int32Array(1024);
  /** By identifier: the first place of the results that wait there, or LAST. A place is one identifier of one result. */
  #waiting = new Int32Array(1024).fill(LAST);
  /** By place: the next one of the same identifier, and the rank. */
  #nextPlace = new Int32Array(1024);
  #rankAt = new Int32Array(1024);
  #places = FIRST_PLACE;
  /** By rank: the place of its first identifier, the others behind it; 0 = the result has never waited. */
  #placesOf = new Int32Array(1024);
  /** Results that are filed no more, and may not wait yet under all they hold. */
  readonly #unfiled: number[] = [];

  /** `idsOf` = the identifiers of the result with a rank. */
  constructor(idsOf: (rank: number) => Int32Array) {
    this.#idsOf = idsOf;
  }

  /** Identifiers that roots name: once more each (1), or once less (-1). */
  count(ids: Int32Array, by: 1 | -1): void {
    for (let at = 0; at < ids.length; at++) {
      const id = ids[at]!;
      if (id >= this.#counts.length) this.#grow(id + 1);
      const count = this.#counts[id]! + by;
      this.#counts[id] = count;
      if (count === (by === 1 ? 1 : 0)) this.#turned.push(id);
    }
  }

  /** True if a root names the identifier. */
  names(id: number): boolean {
    return (this.#counts[id] ?? 0) > 0;
  }

  /**
   * Adds a result, and gives its rank: results have ranks in the order in which they were added. `guess` = one of its
   * identifiers: if that is named, the others need not be read.
   */
  add(guess: number | null = null): number {
    const rank = this.#count++;
    if (rank >= this.#next.length) {
      this.#next = grownInts(this.#next, rank + 1);
      this.#under = grownInts(this.#under, this.#next.length);
      this.#isFiled = grownBytes(this.#isFiled, this.#next.length);
      this.#isDropped = grownBytes(this.#isDropped, this.#next.length);
      this.#placesOf = grownInts(this.#placesOf, this.#next.length);
    }
    if (guess !== null && this.#isNamed[guess] === 1) this.#fileUnder(rank, guess);
    else this.#file(rank);
    return rank;
  }

  /** The identifier of the result that is named, as of the last `settle`; null if none is, or the result is not followed. */
  namedBy(rank: number): number | null {
    return this.#isFiled[rank] === 1 && this.#isDropped[rank] !== 1 ? this.#under[rank]! : null;
  }

  /** A result that is not followed any more: whether it is named is worked out when it is asked. To follow it, add it again. */
  drop(rank: number): void {
    this.#isDropped[rank] = 1;
  }

  /** True if an identifier of the result is named, as of the last `settle`. */
  isNamed(rank: number): boolean {
    if (this.#isDropped[rank] === 1) return this.#idsOf(rank).some((id) => this.names(id));
    return this.#isFiled[rank] === 1;
  }

  /** Takes in what was counted; `turn` is called with each result that is named first, or no more. */
  settle(turn: (rank: number) => void): void {
    const turned = this.#turned;
    // What is named first before what is named no more: most results that lose a mention have another by then.
    let gone = 0;
    for (let at = 0; at < turned.length; at++) {
      const id = turned[at]!;
      if (this.#counts[id] === 0) turned[gone++] = id;
      else if (this.#isNamed[id] === 0) this.#nameFirst(id, turn);
    }
    turned.length = gone;
    // All of these before any of their results is filed elsewhere: else it is filed under one that goes next.
    gone = 0;
    for (let at = 0; at < turned.length; at++) {
      const id = turned[at]!;
      if (this.#isNamed[id] !== 1) continue;
      this.#isNamed[id] = 0;
      turned[gone++] = id;
    }
    for (let at = 0; at < gone; at++) this.#nameNoMore(turned[at]!, turn);
    turned.length = 0;
  }

  #nameFirst(id: number, turn: (rank: number) => void): void {
    if (this.#unfiled.length > 0) this.#letWait();
    this.#isNamed[id] = 1;
    let place = this.#waiting[id]!;
    this.#waiting[id] = LAST;
    while (place !== LAST) {
      const rank = this.#rankAt[place]!;
      const next = this.#nextPlace[place]!;
      this.#nextPlace[place] = NOWHERE;
      // Those that are filed by now wait here again when they are filed no more.
      if (this.#isFiled[rank] !== 1 && this.#isDropped[rank] !== 1) {
        this.#fileUnder(rank, id);
        turn(rank);
      }
      place = next;
    }
  }

  #nameNoMore(id: number, turn: (rank: number) => void): void {
    let rank = (this.#filed[id] ?? 0) - 1;
    this.#filed[id] = 0;
    while (rank !== END) {
      const next = this.#next[rank]!;
      if (this.#isDropped[rank] !== 1 && !this.#file(rank)) turn(rank);
      rank = next;
    }
  }

  #file(rank: number): boolean {
    const ids = this.#idsOf(rank);
    const isNamed = this.#isNamed;
    for (let at = 0; at < ids.length; at++) {
      if (isNamed[ids[at]!] !== 1) continue;
      this.#fileUnder(rank, ids[at]!);
      return true;
    }
    this.#isFiled[rank] = 0;
    this.#unfiled.push(rank);
    return false;
  }

  #fileUnder(rank: number, id: number): void {
    this.#isFiled[rank] = 1;
    this.#under[rank] = id;
    this.#next[rank] = this.#filed[id]! - 1;
    this.#filed[id] = rank + 1;
  }

  // Behind the step from nothing mostly nothing follows: what only a next one asks for is made then.
  #letWait(): void {
    for (const rank of this.#unfiled) {
      if (this.#isFiled[rank] === 1 || this.#isDropped[rank] === 1) continue;
      const ids = this.#idsOf(rank);
      const first = this.#placesOf[rank] || this.#reservePlaces(rank, ids.length);
      for (let at = 0; at < ids.length; at++) {
        const [place, id] = [first + at, ids[at]!];
        if (this.#nextPlace[place] !== NOWHERE) continue;
        if (id >= this.#counts.length) this.#grow(id + 1);
        this.#nextPlace[place] = this.#waiting[id]!;
        this.#waiting[id] = place;
      }
    }
    this.#unfiled.length = 0;
  }

  #reservePlaces(rank: number, count: number): number {
    const first = this.#places;
    this.#places += count;
    if (this.#places > this.#rankAt.length) {
      this.#rankAt = grownInts(this.#rankAt, this.#places);
      this.#nextPlace = grownInts(this.#nextPlace, this.#places);
    }
    this.#rankAt.fill(rank, first, this.#places);
    this.#placesOf[rank] = first;
    return first;
  }

  #grow(atLeast: number): void {
    const known = this.#counts.length;
    this.#counts = grownInts(this.#counts, atLeast);
    this.#filed = grownInts(this.#filed, atLeast);
    this.#waiting = grownInts(this.#waiting, atLeast).fill(LAST, known);
    this.#isNamed = grownBytes(this.#isNamed, this.#counts.length);
  }
}

function grownBytes(bytes: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(length);
  larger.set(bytes);
  return larger;
}
