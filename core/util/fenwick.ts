/** Sums over a row of numbers that change: adding to one and summing a beginning cost O(log n). */
export class Fenwick {
  readonly #tree: Float64Array;
  readonly #top: number;

  constructor(length: number) {
    this.#tree = new Float64Array(length + 1);
    this.#top = length === 0 ? 0 : 2 ** Math.floor(Math.log2(length));
  }

  /** Of numbers that are known at once: takes their count, not more. */
  static of(numbers: ArrayLike<number>): Fenwick {
    const made = new Fenwick(numbers.length);
    const tree = made.#tree;
    for (let i = 1; i < tree.length; i++) {
      tree[i]! += numbers[i - 1]!;
      const parent = i + (i & -i);
      if (parent < tree.length) tree[parent]! += tree[i]!;
    }
    return made;
  }

  /** Adds to the number at a place. */
  add(at: number, value: number): void {
    for (let i = at + 1; i < this.#tree.length; i += i & -i) this.#tree[i]! += value;
  }

  /** Sum of the numbers before a place. */
  before(at: number): number {
    let sum = 0;
    for (let i = Math.min(at, this.#tree.length - 1); i > 0; i -= i & -i) sum += this.#tree[i]!;
    return sum;
  }

  /**
   * The place at which the running sum passes `sum`: the first whose number, with all before it, is more than `sum`; the
   * length if there is none. Numbers must not be negative.
   */
  find(sum: number): number {
    let at = 0;
    let rest = sum;
    for (let step = this.#top; step >= 1; step >>= 1) {
      const next = at + step;
      if (next >= this.#tree.length || this.#tree[next]! > rest) continue;
      at = next;
      rest -= this.#tree[next]!;
    }
    return at;
  }
}
