// Figures at the call points: the bars of the scrubber and the strip of the cache. All call points where the stages can
// follow them; where a stage must be run again at each, evenly spaced ones, each with the call point before it, so that
// what the cache keeps is reported for real neighbours.
import { sampleEvenly, turnAt } from './places.ts';
import type { SeriesPoint } from './types.ts';

/** The most points reported: a chart shows fewer, and whoever shows it must be sent them. */
export const MOST_POINTS = 10_000;

/** Which call points are computed, and which of them are reported (positions in `points`, by position in `visited`). */
export interface SeriesPlan {
  readonly points: readonly { readonly at: number; readonly turn: number }[];
  /** Ascending; all of `points` are among them. */
  readonly visited: readonly number[];
  readonly sampled: boolean;
}

/** Plans a series. `samples` = at how many call points a spec may be run again; null = the stages follow. */
export function planSeries(
  callPoints: readonly number[],
  turnStarts: readonly number[],
  samples: number | null,
): SeriesPlan {
  const chosen = samples === null ? sampleEvenly(callPoints, MOST_POINTS) : samplePairs(callPoints, samples);
  return {
    points: chosen.map((at) => ({ at, turn: turnAt(turnStarts, at) ?? 0 })),
    visited: samples === null ? callPoints : chosen,
    sampled: chosen.length < callPoints.length,
  };
}

/** At most `count` call points, evenly spaced in pairs of neighbours; the last ones among them. */
function samplePairs(callPoints: readonly number[], count: number): readonly number[] {
  if (callPoints.length <= count) return callPoints;
  const positions = sampleEvenly([...callPoints.keys()].slice(1), Math.max(2, Math.floor(count / 2)));
  const chosen = new Set(positions.flatMap((position) => [position - 1, position]));
  return [...chosen].map((position) => callPoints[position]!);
}

/** The plan's points holding the raw history: of the messages [0, at) tokens by category, and of the tools they load. */
export function rawPoints(
  plan: SeriesPlan,
  tally: (at: number) => Pick<SeriesPoint, 'byCategory' | 'loaded'>,
): readonly SeriesPoint[] {
  return plan.points.map(({ at, turn }) => ({ at, turn, ...tally(at) }));
}
