/** A list that grows at its end. What was there before stays as it was, and shares its entries with what it grows to. */
export class Growing<T> {
  readonly #entries: T[];
  readonly length: number;

  private constructor(entries: T[], length: number) {
    this.#entries = entries;
    this.length = length;
  }

  static of<T>(entries: readonly T[]): Growing<T> {
    return new Growing([...entries], entries.length);
  }

  /** This list and more behind it. Costs what is added, unless something else was added here before. */
  with(more: Iterable<T>): Growing<T> {
    const isLast = this.#entries.length === this.length;
    const entries = isLast ? this.#entries : this.#entries.slice(0, this.length);
    for (const entry of more) entries.push(entry);
    return new Growing(entries, entries.length);
  }

  at(position: number): T | undefined {
    return position < this.length ? this.#entries[position] : undefined;
  }

  *[Symbol.iterator](): Generator<T> {
    for (let at = 0; at < this.length; at++) yield this.#entries[at]!;
  }
}
