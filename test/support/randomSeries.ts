// Random series of a chart: call points with tokens, recorded usage, times, broken caches and refusals.
import type { SeriesPoint } from '../../core/protocol/types.ts';
import { seededRng } from '../../core/util/rng.ts';

export type Random = () => number;

/** Numbers in [0, 1). */
export function seededRandom(seed: number): Random {
  const rng = seededRng(seed);
  return () => rng.below(2 ** 30) / 2 ** 30;
}

function randomPoint(rng: Random, at: number, time: number): SeriesPoint {
  const pick = rng();
  const broken = pick < 0.02;
  const tokens = Math.floor(rng() * 1000);
  return {
    at,
    turn: 1,
    byCategory: [Math.floor(rng() * 100), tokens, 0, Math.floor(rng() * 50), 0, 0, 0],
    ...(rng() < 0.02 && { refused: true }),
    ...(rng() < 0.02 && { blocked: true }),
    ...(rng() < 0.5 && { recorded: { input: Math.floor(rng() * 2000), read: null, written: null } }),
    ...(rng() < 0.9 && {
      time: { requested: time, until: time + Math.floor(rng() * 5000), took: 1, tools: null, waiting: null },
    }),
    cache: {
      prefixMessages: 1,
      prefixTokens: tokens,
      servedTokens: tokens,
      writtenTokens: 0,
      againTokens: broken ? Math.floor(rng() * 500) : 0,
      brokenBy: broken
        ? { stage: 0, kind: 'x', title: 'X', index: at, change: 'edited', fate: null, rule: null, reason: '' }
        : null,
      cost: 0,
      points: 'assumed',
      loss: null,
    } as SeriesPoint['cache'],
  } as SeriesPoint;
}

/** Some call points, ascending; few are broken or refused, some have no time. `back` = share that is earlier than the one before. */
export function randomSeries(rng: Random, back = 0): readonly SeriesPoint[] {
  const count = 1 + Math.floor(rng() ** 3 * 3000);
  let [at, time] = [0, 1_700_000_000_000];
  return Array.from({ length: count }, () => {
    at += 1 + Math.floor(rng() * 4);
    const step = Math.floor(rng() ** 4 * 400_000);
    time += back > 0 && rng() < back ? -step : step;
    return randomPoint(rng, at, time);
  });
}
