// The call points of a chart by position and by time, as typed arrays: what is drawn at a zoom is looked up here.
import { countOf, groupEnds, mergePoints } from '../../core/protocol/seriesTypes.ts';
import type { SeriesPoint } from '../../core/protocol/types.ts';

/** Points that follow each other, with the positions of their call points among all. */
export interface PointSource {
  readonly points: readonly SeriesPoint[];
  /** Position of each point's first call point; one more at the end: behind the last. */
  readonly starts: Float64Array;
  /** Source index of each point's first and last call point. */
  readonly firsts: Float64Array;
  readonly lasts: Float64Array;
  /** When each point's first request was made and its last answer was there, ascending; null = no time is recorded. */
  readonly times: Float64Array | null;
  readonly untils: Float64Array | null;
}

const known = new WeakMap<readonly SeriesPoint[], PointSource>();

/** The points as a source; `first` = position of the first call point among all. */
export function sourceOf(points: readonly SeriesPoint[], first = 0): PointSource {
  const found = known.get(points);
  if (found !== undefined && found.starts[0] === first) return found;
  const starts = new Float64Array(points.length + 1);
  const firsts = new Float64Array(points.length);
  const lasts = new Float64Array(points.length);
  let place = first;
  for (const [at, point] of points.entries()) {
    starts[at] = place;
    firsts[at] = point.shares?.first ?? point.at;
    lasts[at] = point.shares?.last ?? point.at;
    place += countOf(point);
  }
  starts[points.length] = place;
  const made = { points, starts, firsts, lasts, ...timesOf(points) };
  known.set(points, made);
  return made;
}

/** Times never go back: a call without one has that of the call before, the first ones that of the first known. */
function timesOf(points: readonly SeriesPoint[]): Pick<PointSource, 'times' | 'untils'> {
  const begin = points.find(({ time }) => time !== undefined)?.time?.requested;
  if (begin === undefined) return { times: null, untils: null };
  const times = new Float64Array(points.length);
  const untils = new Float64Array(points.length);
  let [last, end] = [begin, begin];
  for (const [at, { time }] of points.entries()) {
    last = Math.max(last, time?.requested ?? last);
    end = Math.max(last, time?.until ?? last);
    times[at] = last;
    untils[at] = end;
  }
  return { times, untils };
}

/** How many of the ascending values are below the limit. */
export function countBelow(values: Float64Array, limit: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Position of a call point by its source index; between two, between their positions. */
export function positionOf({ firsts, lasts, starts }: PointSource, at: number): number {
  const next = countBelow(firsts, at);
  if (firsts[next] === at) return starts[next] ?? 0;
  if (next === 0) return starts[0] ?? 0;
  const [first = 0, last = 0, start = 0, end = 0] = [firsts[next - 1], lasts[next - 1], starts[next - 1], starts[next]];
  const after = firsts[next];
  if (at > last) return after === undefined ? end : end - 1 + (at - last) / Math.max(1, after - last);
  return start + ((at - first) / Math.max(1, last - first)) * (end - start - 1);
}

/** The source with as many call points in one point, in groups that begin at multiples of it. */
export function bySize(source: PointSource, size: number): PointSource {
  if (size <= 1) return source;
  return remembered(source, `calls ${size}`, () => groupEnds(source.points, size, source.starts[0] ?? 0));
}

/** The source with the call points requested within the same `ms` in one point. */
export function byTime(source: PointSource, ms: number): PointSource {
  const { points, times } = source;
  if (times === null) return source;
  const slotOf = (at: number) => Math.floor((times[at] ?? 0) / ms);
  return remembered(source, `time ${ms}`, () =>
    points.flatMap((_, at) => (at + 1 === points.length || slotOf(at + 1) !== slotOf(at) ? [at + 1] : [])),
  );
}

const merged = new WeakMap<readonly SeriesPoint[], { readonly key: string; readonly source: PointSource }>();

/** Panning asks for the same again and again. `ends` = where groups of points end. */
function remembered(source: PointSource, key: string, ends: () => readonly number[]): PointSource {
  const found = merged.get(source.points);
  if (found?.key === key && found.source.starts[0] === source.starts[0]) return found.source;
  const made = joined(source, ends());
  merged.set(source.points, { key, source: made });
  return made;
}

function joined({ points, starts, firsts, lasts, times, untils }: PointSource, ends: readonly number[]): PointSource {
  const begins = ends.map((_, group) => (group === 0 ? 0 : (ends[group - 1] ?? 0)));
  const first = (values: Float64Array) => Float64Array.from(begins, (at) => values[at] ?? 0);
  const last = (values: Float64Array) => Float64Array.from(ends, (end) => values[end - 1] ?? 0);
  return {
    points: ends.map((end, group) => mergePoints(points.slice(begins[group], end))),
    starts: Float64Array.from([...begins, points.length], (at) => starts[at] ?? 0),
    firsts: first(firsts),
    lasts: last(lasts),
    times: times && first(times),
    untils: untils && last(untils),
  };
}
