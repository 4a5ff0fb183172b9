// The robust line through recorded inputs over counted histories. Slopes are taken between requests of one era only:
// after an encrypted compaction the requests hold what cannot be counted, and start from another base.

/** One request as the fit sees it. */
export interface FitPoint {
  readonly history: number;
  readonly input: number;
  readonly era: number;
}

/** The line; `baseOf` gives the base of an era. */
export interface Fit {
  readonly factor: number;
  readonly base: number;
  /** Median distance of the first era's requests from its base. Unit: tokens. */
  readonly spread: number;
  readonly residual: number;
  /** The same for the way from one request to the next: small also where the line was shifted once. */
  readonly noise: number;
  baseOf(era: number): number;
}

/** Requests below this say too little for a line. */
const LEAST_POINTS = 5;
/** Two histories must differ by this many tokens: over shorter ways the noise of single requests decides. */
const LEAST_WAY = 500;
/** Slopes looked at: more would only cost time. */
const MOST_SLOPES = 4000;

/** Fits a line; null if there are too few requests, or their histories are all alike. */
export function fitLine(points: readonly FitPoint[]): Fit | null {
  if (points.length < LEAST_POINTS) return null;
  const slopes = slopesOf(points);
  if (slopes.length === 0) return null;
  const factor = median(slopes);
  const bases = new Map<number, number>();
  for (const [era, own] of Map.groupBy(points, (point) => point.era)) {
    bases.set(era, median(own.map(({ input, history }) => input - factor * history)));
  }
  const base = median(points.map(({ input, history }) => input - factor * history));
  const baseOf = (era: number): number => bases.get(era) ?? base;
  const away = points.map(({ input, history, era }) => Math.abs(input - factor * history - baseOf(era)) / input);
  const era = points[0]?.era ?? 0;
  const first = bases.get(era) ?? base;
  const own = points.filter((point) => point.era === era);
  const spread = median(own.map(({ input, history }) => Math.abs(input - factor * history - first)));
  return { factor, base: first, spread, residual: median(away), noise: noiseOf(points, factor), baseOf };
}

function noiseOf(points: readonly FitPoint[], factor: number): number {
  const away = points.slice(1).map((point, i) => {
    const before = points[i];
    if (before === undefined || before.era !== point.era) return 0;
    return Math.abs(point.input - before.input - factor * (point.history - before.history)) / point.input;
  });
  return median(away);
}

// Each request with those half, a quarter, … of the way further on: long ways and short ones, the same every time.
function slopesOf(points: readonly FitPoint[]): number[] {
  const slopes: number[] = [];
  for (let step = Math.floor(points.length / 2); step >= 1; step = Math.floor(step / 2)) {
    for (let i = 0; i + step < points.length && slopes.length < MOST_SLOPES; i++) {
      const [a, b] = [points[i], points[i + step]];
      if (a === undefined || b === undefined || a.era !== b.era) continue;
      const way = b.history - a.history;
      if (Math.abs(way) >= LEAST_WAY) slopes.push((b.input - a.input) / way);
    }
  }
  return slopes;
}

/** The middle value; of an even number the mean of the two. 0 for none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
}
