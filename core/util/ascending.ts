// browser-safe
/** Positions of a longest ascending choice of the values that are not null. O(n log n). */
export function longestAscending(values: readonly (number | null)[]): ReadonlySet<number> {
  const ends: number[] = [];
  const before: number[] = [];
  for (const [position, value] of values.entries()) {
    if (value === null) continue;
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((values[ends[middle] ?? 0] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    before[position] = low === 0 ? -1 : (ends[low - 1] ?? -1);
    ends[low] = position;
  }
  const chosen = new Set<number>();
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at] ?? -1) chosen.add(at);
  return chosen;
}
