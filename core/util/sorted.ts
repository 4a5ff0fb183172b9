/** Position of the first of an ascending list whose place is at least `least`; the list's length if none is. */
export function firstAt<T>(list: readonly T[], least: number, placeOf: (one: T) => number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (placeOf(list[middle]!) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Puts a number into an ascending list. Costs the logarithm of its length, and what is behind the place. */
export function insertSorted(list: number[], value: number): void {
  list.splice(
    firstAt(list, value, (one) => one),
    0,
    value,
  );
}
