// The cache strip as numbers: for each bar of the scrubber what of the request was kept from the one before it, and where
// that broke. Bars may stand for several call points: the costliest break among them speaks for all.
import type { SeriesPoint } from '../../core/protocol/types.ts';

/** One cell of the strip, under one bar. */
export interface CacheCell {
  readonly point: SeriesPoint;
  /** Tokens of the request in all. */
  readonly total: number;
  /** Of the request, 0..1: what it has in common with the one before it. */
  readonly kept: number;
  readonly state: 'unknown' | 'first' | 'grew' | 'broken';
}

/** A cell for each of `bars` bars over all points, divided as the chart divides them. */
export function cacheCells(points: readonly SeriesPoint[], bars: number): readonly CacheCell[] {
  if (points.length <= bars) return points.map(cellOf);
  return Array.from({ length: bars }, (_, bar) => {
    const from = Math.floor((bar * points.length) / bars);
    const shared = points.slice(from, Math.floor(((bar + 1) * points.length) / bars));
    return cellOf(shared.reduce((worst, point) => (weight(point) > weight(worst) ? point : worst)));
  });
}

function cellOf(point: SeriesPoint): CacheCell {
  const total = point.byCategory.reduce((sum, tokens) => sum + tokens, 0);
  const { cache } = point;
  if (cache === undefined) return { point, total, kept: 0, state: 'unknown' };
  if (cache === null) return { point, total, kept: 0, state: 'first' };
  const kept = total === 0 ? 0 : Math.min(1, cache.prefixTokens / total);
  return { point, total, kept, state: cache.brokenBy === null ? 'grew' : 'broken' };
}

// A break goes before growth, the larger before the smaller.
function weight({ cache }: SeriesPoint): number {
  if (!cache?.brokenBy) return -1;
  return cache.againTokens;
}

/** All breaks of a session and what they cost; `cost` null = no price is known. Unit: tokens, US dollars. */
export interface CacheSum {
  readonly breaks: number;
  readonly again: number;
  readonly cost: number | null;
}

export function sumOf(points: readonly SeriesPoint[]): CacheSum {
  const broken = points.flatMap(({ cache }) => (cache?.brokenBy ? [cache] : []));
  const costs = broken.map(({ cost }) => cost);
  return {
    breaks: broken.length,
    again: broken.reduce((sum, { againTokens }) => sum + againTokens, 0),
    cost: costs.includes(null) ? null : costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0),
  };
}

/** The next cell with a break, from a cell in a direction; that cell itself if there is none. */
export function nextBreak(cells: readonly CacheCell[], from: number, direction: 1 | -1): number {
  for (let at = from + direction; at >= 0 && at < cells.length; at += direction) {
    if (cells[at]?.state === 'broken') return at;
  }
  return from;
}
