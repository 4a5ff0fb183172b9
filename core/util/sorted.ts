/** Puts a number into an ascending list. Costs the logarithm of its length, and what stands behind the place. */
export function insertSorted(list: number[], value: number): void {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (list[middle]! < value) low = middle + 1;
    else high = middle;
  }
  list.splice(low, 0, value);
}
