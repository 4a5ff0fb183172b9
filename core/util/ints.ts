// Lists of whole numbers in pages: a list that grows is not copied once it has its first page, so that no push takes long,
// however long the list is.

/** Numbers in a page. */
const PAGE_BITS = 14;
export const INTS_IN_PAGE = 1 << PAGE_BITS;
const IN_PAGE = INTS_IN_PAGE - 1;
const FIRST = 16;

/** Whole numbers of 32 bits in a list that grows at its end: four bytes each, and a page at most. */
export class Ints {
  readonly #pages: Int32Array[] = [new Int32Array(FIRST)];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The number at a position; 0 behind the end. */
  at(position: number): number {
    return position < this.#length ? this.#pages[position >>> PAGE_BITS]![position & IN_PAGE]! : 0;
  }

  /** Replaces the number at a position. */
  set(position: number, value: number): void {
    if (position >= this.#length) throw new RangeError(`no number at ${position}`);
    this.#pages[position >>> PAGE_BITS]![position & IN_PAGE] = value;
  }

  /** Adds a number; gives its position. */
  push(value: number): number {
    const at = this.#length++;
    const page = at >>> PAGE_BITS;
    if (page === this.#pages.length) this.#pages.push(new Int32Array(INTS_IN_PAGE));
    else if (at === this.#pages[page]!.length) this.#pages[page] = longer(this.#pages[page]!);
    this.#pages[page]![at & IN_PAGE] = value;
    return at;
  }

  /** Adds zeros until it is that long. */
  fillTo(length: number): void {
    while (this.#length < length) this.push(0);
  }
}

// Of the first page alone: the others have their whole length from the beginning.
function longer(page: Int32Array): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(Math.min(INTS_IN_PAGE, page.length * 2));
  grown.set(page);
  return grown;
}

/** A copy that keeps nothing else in memory: a slice keeps the whole string it was cut from. */
export function detached(text: string): string {
  return ` ${text}`.slice(1);
}

/** A longer array with the same beginning, twice as long at the least; zeros behind. */
export function grownInts(ints: Int32Array, atLeast: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(Math.max(atLeast, ints.length * 2));
  larger.set(ints);
  return larger;
}
