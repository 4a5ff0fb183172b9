// Tokens by category at call points: the bars of the scrubber. Which points, in which order, and what the first answer
// holds; the projections themselves are made by whoever draws the plan.

import { sampleEvenly, turnAt } from './places.ts';
import type { SeriesPoint } from './types.ts';

/** The points of a series and the order to compute them in: positions in `points`, coarse first, so bars fill evenly. */
export interface SeriesPlan {
  readonly points: readonly { readonly at: number; readonly turn: number }[];
  readonly order: readonly number[];
  readonly sampled: boolean;
}

/** Plans at most `samples` of the call points, the first and last among them. */
export function planSeries(callPoints: readonly number[], turnStarts: readonly number[], samples: number): SeriesPlan {
  const chosen = sampleEvenly(callPoints, samples);
  return {
    points: chosen.map((at) => ({ at, turn: turnAt(turnStarts, at) ?? 0 })),
    order: coarseFirst(chosen.length),
    sampled: chosen.length < callPoints.length,
  };
}

/** The plan's points holding the raw history: `tally(at)` = tokens by category of the messages [0, at). */
export function rawPoints(plan: SeriesPlan, tally: (at: number) => readonly number[]): readonly SeriesPoint[] {
  return plan.points.map(({ at, turn }) => ({ at, turn, byCategory: tally(at) }));
}

/** 0 … count − 1, the last first, then halving steps: any beginning of it is spread evenly. */
export function coarseFirst(count: number): readonly number[] {
  const order: number[] = [];
  const seen = new Uint8Array(count);
  const take = (position: number) => {
    if (position < 0 || position >= count || seen[position]) return;
    seen[position] = 1;
    order.push(position);
  };
  take(count - 1);
  let step = 1;
  while (step < count) step *= 2;
  for (; step >= 1; step /= 2) for (let at = 0; at < count; at += step) take(at);
  return order;
}
