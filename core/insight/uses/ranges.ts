/** A piece of a message. */
interface Range {
  readonly part: number;
  readonly from: number;
  readonly to: number;
}

interface OfPart<T> {
  readonly items: readonly T[];
  readonly ranges: readonly Range[];
  /** Of each the largest end up to it. */
  readonly ends: readonly number[];
}

/** Ranges of a message, to be asked which of them hold another one: without a look at all of them. */
export class Ranges<T> {
  readonly #parts = new Map<number, OfPart<T>>();

  constructor(items: readonly T[], rangeOf: (item: T) => Range) {
    const parts = Map.groupBy(items, (item) => rangeOf(item).part);
    for (const [part, own] of parts) {
      const sorted = own.toSorted((a, b) => rangeOf(a).from - rangeOf(b).from);
      const ranges = sorted.map(rangeOf);
      let end = 0;
      this.#parts.set(part, { items: sorted, ranges, ends: ranges.map(({ to }) => (end = Math.max(end, to))) });
    }
  }

  /** True if one that fits holds the range. */
  holds({ part, from, to }: Range, fits: (item: T) => boolean = () => true): boolean {
    const own = this.#parts.get(part);
    if (own === undefined) return false;
    const { items, ranges, ends } = own;
    for (let at = lastBeginning(ranges, from); at >= 0 && ends[at]! >= to; at--) {
      if (ranges[at]!.to >= to && fits(items[at]!)) return true;
    }
    return false;
  }
}

// The last range that begins there or before; -1 = there is none.
function lastBeginning(ranges: readonly Range[], from: number): number {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ranges[middle]!.from <= from) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
