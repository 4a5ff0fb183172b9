// What a rule remembers from message to message (ids in use, how often an id came), where the messages are looked at
// piece by piece. Each piece notes of what it read and what it left behind; a piece is looked at again only if something
// it read is different, so that a change ripples only while it makes a difference.
import type { IdSet, Table } from '../ids.ts';
import { NOBODY, type Segment } from './segments.ts';

/** What is remembered of an id; undefined = nothing. */
export type Value = string | number | boolean | undefined;

interface Entry {
  readonly order: number;
  readonly segment: Segment;
  readonly read: Value;
  readonly left: Value;
}

/** One thing remembered by id, as it stands between the pieces. */
export class ThreadedState {
  readonly #entries = new Map<string, Entry[]>();
  readonly #ids = new Map<number, readonly string[]>();
  /** Ids that several pieces have left something of. */
  #shared = 0;
  /** Pieces that read something that another left, once for each id. */
  #reads = 0;

  /** True if no id is of two pieces, and none of them has read what another left. */
  get isApart(): boolean {
    return this.#shared === 0 && this.#reads === 0;
  }

  /** Begins to look at a piece; `order` identifies pieces (and what is done to all of them after the first). */
  open(segment: Segment, order: number): ThreadedValue {
    return new ThreadedValue(segment, order, (id) => this.#before(id, order));
  }

  /** Notes what a piece read and left; gives the pieces that read something else before. */
  close({ segment, order, touched }: ThreadedValue): Iterable<Segment> {
    const known = this.#ids.get(order);
    if (known === undefined && touched.size === 0) return NOBODY;
    const dirty = new Set<Segment>();
    if (known !== undefined) for (const id of known) if (!touched.has(id)) this.#remove(id, order, dirty);
    for (const [id, { read, left }] of touched) this.#put(id, { order, segment, read, left }, dirty);
    if (touched.size === 0) this.#ids.delete(order);
    else this.#ids.set(order, [...touched.keys()]);
    return dirty.size === 0 ? NOBODY : dirty;
  }

  /** A piece left nothing. */
  forget(order: number): Iterable<Segment> {
    const ids = this.#ids.get(order);
    if (ids === undefined) return NOBODY;
    const dirty = new Set<Segment>();
    for (const id of ids) this.#remove(id, order, dirty);
    this.#ids.delete(order);
    return dirty;
  }

  /**
   * A piece is no more, or is there again: what it left counts no more, or again ({@link Segment.isThere}), until it is looked
   * at afresh or dropped. Gives the pieces that read something else before.
   */
  turn(order: number): Iterable<Segment> {
    if (this.#shared === 0) return NOBODY;
    let dirty: Set<Segment> | null = null;
    for (const id of this.#ids.get(order) ?? NO_IDS) {
      const entries = this.#entries.get(id);
      // Mostly nobody else has the id.
      if (entries === undefined || entries.length === 1) continue;
      dirty ??= new Set();
      const place = placeOf(entries, order);
      markNext(entries, place, leftBefore(entries, entries[place]!.segment.isThere ? place + 1 : place), dirty);
    }
    return dirty ?? NOBODY;
  }

  /** True if a piece would read now what it read when it was looked at last. */
  isAsBefore(order: number): boolean {
    if (this.isApart) return true;
    for (const id of this.#ids.get(order) ?? NO_IDS) {
      const entries = this.#entries.get(id) ?? [];
      const place = placeOf(entries, order);
      if (leftBefore(entries, place) !== entries[place]?.read) return false;
    }
    return true;
  }

  #before(id: string, order: number): Value {
    const entries = this.#entries.get(id);
    return entries === undefined ? undefined : leftBefore(entries, placeOf(entries, order));
  }

  #put(id: string, entry: Entry, dirty: Set<Segment>): void {
    const entries = this.#entries.get(id);
    if (entry.read !== undefined) this.#reads++;
    if (entries === undefined) {
      this.#entries.set(id, [entry]);
      return;
    }
    const place = placeOf(entries, entry.order);
    const [known] = entries.splice(place, entries[place]?.order === entry.order ? 1 : 0, entry);
    if (known?.read !== undefined) this.#reads--;
    if (known === undefined && entries.length === 2) this.#shared++;
    markNext(entries, place, entry.left, dirty);
  }

  #remove(id: string, order: number, dirty: Set<Segment>): void {
    const entries = this.#entries.get(id) ?? [];
    const place = placeOf(entries, order);
    const [known] = entries.splice(place, 1);
    if (known?.read !== undefined) this.#reads--;
    if (entries.length === 1) this.#shared--;
    if (entries.length === 0) this.#entries.delete(id);
    else markNext(entries, place - 1, leftBefore(entries, place), dirty);
  }
}

const NO_IDS: readonly string[] = [];

/** What the last piece before a place left. */
function leftBefore(entries: readonly Entry[], place: number): Value {
  for (let at = place - 1; at >= 0; at--) {
    const { segment, left } = entries[at]!;
    if (segment.isThere) return left;
  }
  return undefined;
}

/** The next piece behind a place is to be looked at again if it did not read `left`. */
function markNext(entries: readonly Entry[], place: number, left: Value, dirty: Set<Segment>): void {
  for (let at = place + 1; at < entries.length; at++) {
    const { segment, read } = entries[at]!;
    if (!segment.isThere) continue;
    if (read !== left) dirty.add(segment);
    return;
  }
}

// The first place whose order is not below.
function placeOf(entries: readonly Entry[], order: number): number {
  // What is added stands mostly at the end.
  if ((entries.at(-1)?.order ?? -1) < order) return entries.length;
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (entries[middle]!.order < order) low = middle + 1;
    else high = middle;
  }
  return low;
}

interface Touched {
  readonly read: Value;
  left: Value;
}

/** What one piece reads and leaves. */
export class ThreadedValue {
  readonly segment: Segment;
  readonly order: number;
  readonly touched = new Map<string, Touched>();
  readonly #before: (id: string) => Value;

  constructor(segment: Segment, order: number, before: (id: string) => Value) {
    this.segment = segment;
    this.order = order;
    this.#before = before;
  }

  /** As a set of ids. */
  ids(): IdSet {
    return {
      has: (id) => this.#touch(id).left === true,
      add: (id) => this.#set(id, true),
      delete: (id) => this.#set(id, false),
    };
  }

  /** As a table of numbers by id. */
  numbers(): Table<number> {
    return {
      get: (id) => {
        const { left } = this.#touch(id);
        return typeof left === 'number' ? left : undefined;
      },
      set: (id, value) => this.#set(id, value),
    };
  }

  /** As a table of texts by id. */
  texts(): Table<string> {
    return {
      get: (id) => {
        const { left } = this.#touch(id);
        return typeof left === 'string' ? left : undefined;
      },
      set: (id, value) => this.#set(id, value),
    };
  }

  #set(id: string, value: Value): void {
    this.#touch(id).left = value;
  }

  #touch(id: string): Touched {
    const known = this.touched.get(id);
    if (known !== undefined) return known;
    const read = this.#before(id);
    const made = { read, left: read };
    this.touched.set(id, made);
    return made;
  }
}
