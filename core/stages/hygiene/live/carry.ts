// What a rule remembers from message to message (ids in use, how often an id came), where the messages are looked at
// piece by piece. Each piece notes of what it read and what it left behind; a piece is looked at again only if something
// it read is different, so that a change ripples only while it makes a difference.
import type { IdSet, Table } from '../ids.ts';
import type { Segment } from './segments.ts';

type Value = string | number | boolean | undefined;

interface Entry {
  readonly order: number;
  readonly segment: Segment;
  readonly read: Value;
  readonly left: Value;
}

/** Values by key, as they stand between the pieces. */
export class Carry {
  readonly #entries = new Map<string, Entry[]>();
  readonly #keys = new Map<number, ReadonlySet<string>>();

  /** Begins to look at a piece; `order` tells pieces (and what is done to all of them after the first) apart. */
  open(segment: Segment, order: number): Hand {
    return new Hand(segment, order, (key) => this.#before(key, order));
  }

  /** Notes what a piece read and left; gives the pieces that read something else before. */
  close({ segment, order, touched }: Hand): Iterable<Segment> {
    const dirty = new Set<Segment>();
    for (const key of this.#keys.get(order) ?? []) if (!touched.has(key)) this.#remove(key, order, dirty);
    for (const [key, { read, left }] of touched) this.#put(key, { order, segment, read, left }, dirty);
    if (touched.size === 0) this.#keys.delete(order);
    else this.#keys.set(order, new Set(touched.keys()));
    return dirty;
  }

  /** A piece that is no more. */
  forget(order: number): Iterable<Segment> {
    const dirty = new Set<Segment>();
    for (const key of this.#keys.get(order) ?? []) this.#remove(key, order, dirty);
    this.#keys.delete(order);
    return dirty;
  }

  #before(key: string, order: number): Value {
    const entries = this.#entries.get(key);
    return entries?.[placeOf(entries, order) - 1]?.left;
  }

  #put(key: string, entry: Entry, dirty: Set<Segment>): void {
    const entries = this.#entries.get(key);
    if (entries === undefined) {
      this.#entries.set(key, [entry]);
      return;
    }
    const place = placeOf(entries, entry.order);
    entries.splice(place, entries[place]?.order === entry.order ? 1 : 0, entry);
    tellNext(entries[place + 1], entry.left, dirty);
  }

  #remove(key: string, order: number, dirty: Set<Segment>): void {
    const entries = this.#entries.get(key) ?? [];
    const place = placeOf(entries, order);
    entries.splice(place, 1);
    if (entries.length === 0) this.#entries.delete(key);
    else tellNext(entries[place], entries[place - 1]?.left, dirty);
  }
}

function tellNext(next: Entry | undefined, left: Value, dirty: Set<Segment>): void {
  if (next !== undefined && next.read !== left) dirty.add(next.segment);
}

// The first place whose order is not below.
function placeOf(entries: readonly Entry[], order: number): number {
  let low = 0;
  let high = entries.length;
  // What is added stands mostly at the end.
  if ((entries.at(-1)?.order ?? -1) < order) return high;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (entries[middle]!.order < order) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** What one piece reads and leaves. */
export class Hand {
  readonly segment: Segment;
  readonly order: number;
  readonly touched = new Map<string, { readonly read: Value; left: Value }>();
  readonly #before: (key: string) => Value;

  constructor(segment: Segment, order: number, before: (key: string) => Value) {
    this.segment = segment;
    this.order = order;
    this.#before = before;
  }

  get(key: string): Value {
    return this.#touch(key).left;
  }

  set(key: string, value: Value): void {
    this.#touch(key).left = value;
  }

  /** A set of ids under a name. */
  ids(name: string): IdSet {
    return {
      has: (id) => this.get(`${name} ${id}`) === true,
      add: (id) => this.set(`${name} ${id}`, true),
      delete: (id) => this.set(`${name} ${id}`, false),
    };
  }

  /** A table of numbers by id, under a name. */
  numbers(name: string): Table<number> {
    return {
      get: (id) => {
        const value = this.get(`${name} ${id}`);
        return typeof value === 'number' ? value : undefined;
      },
      set: (id, value) => this.set(`${name} ${id}`, value),
    };
  }

  /** A table of texts by id, under a name. */
  texts(name: string): Table<string> {
    return {
      get: (id) => {
        const value = this.get(`${name} ${id}`);
        return typeof value === 'string' ? value : undefined;
      },
      set: (id, value) => this.set(`${name} ${id}`, value),
    };
  }

  #touch(key: string): { readonly read: Value; left: Value } {
    const known = this.touched.get(key);
    if (known !== undefined) return known;
    const read = this.#before(key);
    const made = { read, left: read };
    this.touched.set(key, made);
    return made;
  }
}
