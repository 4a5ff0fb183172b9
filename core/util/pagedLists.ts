import { INTS_IN_PAGE, Ints } from './ints.ts';

const FIRST_CAPACITY = 2;
const NO_INTS = new Int32Array(0);

/**
 * Many short lists of whole numbers that grow at their ends, by number, in pages: no push copies more than its own list,
 * however many there are.
 */
export class PagedLists {
  /** A list is within one page; a longer one has a page alone. */
  #pages: Int32Array[] = [];
  /** How much of the last page is given away. */
  #used = INTS_IN_PAGE;
  /** By list: its page and its place there, its numbers, and the room for them. */
  readonly #page = new Ints();
  readonly #start = new Ints();
  readonly #count = new Ints();
  readonly #capacity = new Ints();

  count(list: number): number {
    return this.#count.at(list);
  }

  /** The numbers of a list, as they are until the next push. */
  of(list: number): Int32Array {
    const count = this.#count.at(list);
    if (count === 0) return NO_INTS;
    const start = this.#start.at(list);
    return this.#pages[this.#page.at(list)]!.subarray(start, start + count);
  }

  push(list: number, value: number): void {
    for (const ints of [this.#page, this.#start, this.#count, this.#capacity]) ints.fillTo(list + 1);
    const count = this.#count.at(list);
    if (count === this.#capacity.at(list)) this.#move(list, Math.max(FIRST_CAPACITY, count * 2));
    this.#pages[this.#page.at(list)]![this.#start.at(list) + count] = value;
    this.#count.set(list, count + 1);
  }

  /** Leaves no room: for lists that are not expected to grow. They may all the same. */
  pack(): void {
    const before = this.#pages;
    this.#pages = [];
    this.#used = INTS_IN_PAGE;
    for (let list = 0; list < this.#count.length; list++) {
      const [page, start, count] = [this.#page.at(list), this.#start.at(list), this.#count.at(list)];
      this.#capacity.set(list, 0);
      if (count === 0) continue;
      this.#place(list, count);
      this.#pages.at(-1)!.set(before[page]!.subarray(start, start + count), this.#start.at(list));
    }
    const last = this.#pages.at(-1);
    if (last !== undefined && this.#used < last.length) {
      this.#pages[this.#pages.length - 1] = last.slice(0, this.#used);
      this.#used = INTS_IN_PAGE;
    }
  }

  // To where there is room for so many.
  #move(list: number, capacity: number): void {
    const own = this.of(list);
    this.#place(list, capacity);
    this.#pages.at(-1)!.set(own, this.#start.at(list));
  }

  // At the end of the last page, or at the beginning of the next.
  #place(list: number, capacity: number): void {
    if (this.#used + capacity > INTS_IN_PAGE) {
      this.#pages.push(new Int32Array(Math.max(INTS_IN_PAGE, capacity)));
      this.#used = 0;
    }
    this.#page.set(list, this.#pages.length - 1);
    this.#start.set(list, this.#used);
    this.#capacity.set(list, capacity);
    this.#used += capacity;
  }
}
