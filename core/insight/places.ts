/** The turn (1-based) that a call point lies in: turns begun before it; null before the first turn. `starts` ascending. */
export function turnAt(starts: readonly number[], at: number): number | null {
  const begun = countBelow(starts, at);
  return begun === 0 ? null : begun;
}

/** How many of the ascending values are below `limit`. */
export function countBelow(values: readonly number[], limit: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle]! < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Position of a value among ascending ones; null if it is not there. */
export function positionOf(values: readonly number[], value: number): number | null {
  const at = countBelow(values, value);
  return values[at] === value ? at : null;
}

/**
 * Call points as steps: `delta` places on from `at`, clamped to the ends. From between two points, one step on is
 * the next point. By turn: the last call point of the turn before or after.
 */
export function stepCallPoint(points: readonly number[], at: number, delta: number): number {
  if (points.length === 0) return at;
  const below = countBelow(points, at);
  const exact = points[below] === at;
  // From between points, `below` itself is already one step forward.
  const target = below + delta - (!exact && delta > 0 ? 1 : 0);
  return points[Math.min(Math.max(target, 0), points.length - 1)]!;
}

/** The last call point of each turn, ascending: where a step by turn lands. Points before the first turn count as one. */
export function turnEnds(points: readonly number[], starts: readonly number[]): readonly number[] {
  const ends: number[] = [];
  for (const [position, point] of points.entries()) {
    const next = points[position + 1];
    if (next === undefined || countBelow(starts, next) !== countBelow(starts, point)) ends.push(point);
  }
  return ends;
}

/** At most `count` values spread evenly over all, first and last among them, ascending. */
export function sampleEvenly(values: readonly number[], count: number): readonly number[] {
  if (values.length <= count || count < 2) return values;
  const last = values.length - 1;
  return Array.from({ length: count }, (_, i) => values[Math.round((i * last) / (count - 1))]!);
}
