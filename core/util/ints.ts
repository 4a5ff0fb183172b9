/** Whole numbers of 32 bits in a list that grows at its end: four bytes each, and half as many again at most. */
export class Ints {
  #ints = new Int32Array(16);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The number at a position; 0 behind the end. */
  at(position: number): number {
    return position < this.#length ? this.#ints[position]! : 0;
  }

  /** Replaces the number at a position. */
  set(position: number, value: number): void {
    if (position >= this.#length) throw new RangeError(`no number at ${position}`);
    this.#ints[position] = value;
  }

  /** Adds a number; gives its position. */
  push(value: number): number {
    if (this.#length === this.#ints.length) {
      const grown = new Int32Array(this.#length + (this.#length >> 1));
      grown.set(this.#ints);
      this.#ints = grown;
    }
    this.#ints[this.#length] = value;
    return this.#length++;
  }
}

/** A copy that keeps nothing else in memory: a slice keeps the whole string it was cut from. */
export function detached(text: string): string {
  return ` ${text}`.slice(1);
}
