// A chart has fewer columns than a session has calls: several call points then share one. The column is drawn as the one
// with the most tokens, and keeps whatever of the others must not be hidden: the largest recorded input, the costliest loss
// of the cache, and how many were refused.
import { saysChanged } from '../model/cacheDiagnosis.ts';
import type { ModelTerms } from './pricing.ts';
import type { PointTime, SeriesPoint, SharedColumn } from './types.ts';

/** Tokens of a point's messages, and of the tools they load; the overhead is the same at every point. */
export function messageTokens({ byCategory, loaded = 0 }: SeriesPoint): number {
  return byCategory.reduce((sum, tokens) => sum + tokens, loaded);
}

/** Call points that a point stands for. */
export function countOf({ shares }: SeriesPoint): number {
  return shares?.count ?? 1;
}

/** The largest recorded input among the call points of a point; null = none is recorded. Unit: tokens. */
export function recordedInputOf({ shares, recorded }: SeriesPoint): number | null {
  return shares === undefined ? (recorded?.input ?? null) : shares.recorded;
}

/** The call point among those of a point whose cache fared worst. */
export function worstOf(point: SeriesPoint): SeriesPoint {
  return point.shares?.worst ?? point;
}

/** What is known of a point's model. */
export function termsOf({ model = 0 }: SeriesPoint, models: readonly ModelTerms[]): ModelTerms {
  return models[model] ?? { model: null, price: null, rule: null };
}

/** How many of its call points a provider would refuse, and at how many provider safety refused a stage. */
export function refusedOf({ shares, refused, blocked }: SeriesPoint): {
  readonly refused: number;
  readonly blocked: number;
} {
  return shares ?? { refused: refused === true ? 1 : 0, blocked: blocked === true ? 1 : 0 };
}

/** Whether the provider named what changed in the recorded request. */
export function isReported({ recorded }: SeriesPoint): boolean {
  return recorded?.diagnosis !== undefined && saysChanged(recorded.diagnosis);
}

/** Whether what was cached is lost though no stage broke it: its time was over, or another model answers. */
export function isLost(cache: NonNullable<SeriesPoint['cache']>): boolean {
  return cache.loss?.why === 'time' || cache.loss?.why === 'model';
}

// A break goes before what the provider reported, that before what is lost, that before growth, the larger before the smaller.
function cacheWeight(point: SeriesPoint): number {
  const { cache, recorded } = point;
  if (cache && cache.brokenBy !== null) return 1e12 + cache.againTokens;
  if (isReported(point)) return 1e9 + (recorded?.diagnosis?.missedTokens ?? 0);
  return cache && isLost(cache) ? (cache.loss?.tokens ?? 0) : -1;
}

/** Several neighbouring points, ascending, as one. Columns may be merged again: the result is that of their points. */
export function mergePoints(points: readonly SeriesPoint[]): SeriesPoint {
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined) throw new RangeError('no points to merge');
  if (points.length === 1) return first;
  const {
    shares: _shares,
    time: _time,
    ...peak
  } = points.reduce((highest, point) => (messageTokens(point) >= messageTokens(highest) ? point : highest));
  const time = mergedTime(points);
  return { ...peak, ...(time !== null && { time }), shares: sharesOf(points, first, last) };
}

function sharesOf(points: readonly SeriesPoint[], first: SeriesPoint, last: SeriesPoint): SharedColumn {
  let [count, recorded, refused, blocked]: [number, number | null, number, number] = [0, null, 0, 0];
  let worst = worstOf(first);
  for (const point of points) {
    count += countOf(point);
    const input = recordedInputOf(point);
    if (input !== null && (recorded === null || input > recorded)) recorded = input;
    const no = refusedOf(point);
    refused += no.refused;
    blocked += no.blocked;
    const candidate = worstOf(point);
    if (cacheWeight(candidate) > cacheWeight(worst)) worst = candidate;
  }
  const { shares: _shares, ...alone } = worst;
  return {
    count,
    first: first.shares?.first ?? first.at,
    last: last.shares?.last ?? last.at,
    recorded,
    refused,
    blocked,
    worst: alone,
  };
}

/** From the earliest request to the latest answer; of durations the longest. */
function mergedTime(points: readonly SeriesPoint[]): PointTime | null {
  const times = points.flatMap(({ time }) => time ?? []);
  if (times.length === 0) return null;
  return times.reduce((all, time) => ({
    requested: Math.min(all.requested, time.requested),
    until: Math.max(all.until, time.until),
    took: longer(all.took, time.took),
    tools: longer(all.tools, time.tools),
    waiting: longer(all.waiting, time.waiting),
  }));
}

function longer(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b);
}

/** Points by `size`, in groups that begin at multiples of it (`first` = position of the first point); each group as one. */
export function mergeBy(points: readonly SeriesPoint[], size: number, first = 0): readonly SeriesPoint[] {
  if (size <= 1) return points;
  const ends = groupEnds(points, size, first);
  return ends.map((end, group) => mergePoints(points.slice(group === 0 ? 0 : ends[group - 1], end)));
}

/** Where the groups of mergeBy end, among the points. */
export function groupEnds(points: readonly SeriesPoint[], size: number, first: number): readonly number[] {
  const ends: number[] = [];
  for (let to = 0, place = first; to < points.length; ) {
    const end = (Math.floor(place / size) + 1) * size;
    while (to < points.length && place < end) place += countOf(points[to++]!);
    ends.push(to);
  }
  return ends;
}
