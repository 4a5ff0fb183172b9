// Figures at the call points: the bars of the scrubber and the strip of the cache. All call points where the stages can
// follow them; where a stage must be run again at each, evenly spaced ones, each with the call point before it, so that
// what the cache keeps is reported for real neighbours.
import { mergePoints } from './columns.ts';
import { sampleEvenly, turnAt } from './places.ts';
import type { SeriesPoint } from './types.ts';

/** The most points reported; where there are more call points, each stands for as many as it takes (see columns.ts). */
export const MOST_POINTS = 10_000;

/** A point of a series: the last of the call points it stands for, and the first. */
export interface PlannedPoint {
  readonly at: number;
  readonly turn: number;
  readonly first: number;
  readonly count: number;
}

/** Which call points are computed, and which are reported; ascending. */
export interface SeriesPlan {
  readonly points: readonly PlannedPoint[];
  readonly visited: readonly number[];
  readonly sampled: boolean;
}

/** Plans a series. `samples` = at how many call points a spec may be run again; null = the stages follow. */
export function planSeries(
  callPoints: readonly number[],
  turnStarts: readonly number[],
  samples: number | null,
): SeriesPlan {
  const visited = samples === null ? callPoints : samplePairs(callPoints, samples);
  const size = samples === null ? Math.max(1, Math.ceil(callPoints.length / MOST_POINTS)) : 1;
  const points = Array.from({ length: Math.ceil(visited.length / size) }, (_, point) => {
    const own = visited.slice(point * size, (point + 1) * size);
    const [first, at] = [own[0]!, own.at(-1)!];
    return { at, turn: turnAt(turnStarts, at) ?? 0, first, count: own.length };
  });
  return { points, visited, sampled: visited.length < callPoints.length };
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
  return plan.points.map(({ at, turn, first, count }) => {
    const point = { at, turn, ...tally(at) };
    if (count === 1) return point;
    // The raw history only grows: the last of them is the largest.
    const shares = { count, first, last: at, recorded: null, refused: 0, blocked: 0, worst: point };
    return { ...point, shares };
  });
}

/** Puts the figures of call points, in order, into the points of a plan. */
export class PlannedPoints {
  readonly #plan: SeriesPlan;
  #group: SeriesPoint[] = [];
  #point = 0;

  constructor(plan: SeriesPlan) {
    this.#plan = plan;
  }

  /** The planned point that a call point is in. */
  get planned(): PlannedPoint | undefined {
    return this.#plan.points[this.#point];
  }

  /** Takes the next call point; the point it completes, or null. */
  take(point: SeriesPoint): SeriesPoint | null {
    this.#group.push(point);
    if (point.at !== this.planned?.at) return null;
    const merged = mergePoints(this.#group);
    this.#group = [];
    this.#point++;
    return merged;
  }
}
