const FIRST_CAPACITY = 2;

/** Many short lists of integers that grow at their ends, by number, in one array: 800,000 entries cost no object each. */
export class IntLists {
  /** Entries of all lists; those of list i are at `start(i)` and behind, as many as `count(i)`. */
  #pool = new Int32Array(1024);
  #end = 0;
  #starts = new Int32Array(1024);
  #counts = new Int32Array(1024);
  #capacities = new Int32Array(1024);

  /** The array that holds the entries. Another one after a `push`. */
  get pool(): Int32Array {
    return this.#pool;
  }

  start(list: number): number {
    return this.#starts[list] ?? 0;
  }

  count(list: number): number {
    return this.#counts[list] ?? 0;
  }

  /** Takes entries from the beginning of a list. */
  dropFirst(list: number, entries: number): void {
    this.#starts[list]! += entries;
    this.#counts[list]! -= entries;
    this.#capacities[list]! -= entries;
  }

  push(list: number, value: number): void {
    if (list >= this.#starts.length) this.#growLists(list + 1);
    const count = this.#counts[list]!;
    if (count === this.#capacities[list]!) this.#move(list, count);
    this.#pool[this.#starts[list]! + count] = value;
    this.#counts[list] = count + 1;
  }

  /** Leaves no room: for lists that are not expected to grow. They may all the same. */
  pack(): void {
    const pool = new Int32Array(this.#counts.reduce((sum, count) => sum + count, 0));
    let end = 0;
    for (const [list, count] of this.#counts.entries()) {
      pool.set(this.#pool.subarray(this.#starts[list]!, this.#starts[list]! + count), end);
      this.#starts[list] = end;
      this.#capacities[list] = count;
      end += count;
    }
    this.#pool = pool;
    this.#end = end;
  }

  // A list that is full moves to the end, with room for as many again.
  #move(list: number, count: number): void {
    const capacity = Math.max(FIRST_CAPACITY, count * 2);
    if (this.#end + capacity > this.#pool.length) this.#pool = grownInts(this.#pool, this.#end + capacity);
    const start = this.#starts[list]!;
    this.#pool.copyWithin(this.#end, start, start + count);
    this.#starts[list] = this.#end;
    this.#capacities[list] = capacity;
    this.#end += capacity;
  }

  #growLists(atLeast: number): void {
    this.#starts = grownInts(this.#starts, atLeast);
    this.#counts = grownInts(this.#counts, atLeast);
    this.#capacities = grownInts(this.#capacities, atLeast);
  }
}

/** A longer array with the same beginning, twice as long at the least; zeros behind. */
export function grownInts(ints: Int32Array, atLeast: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(Math.max(atLeast, ints.length * 2));
  larger.set(ints);
  return larger;
}
