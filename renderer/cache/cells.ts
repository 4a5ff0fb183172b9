// The cache strip as numbers: for each bar of the scrubber what of the request was kept from the one before it, where that
// broke, and where the cache's time was over or the model changed. Bars may stand for several call points: the costliest among them speaks for
// all.
import { isLost, isReported, mergeBy, worstOf } from '../../core/protocol/seriesTypes.ts';
import type { SeriesPoint } from '../../core/protocol/types.ts';

/** One cell of the strip, under one bar. */
export interface CacheCell {
  readonly point: SeriesPoint;
  /** Tokens of the request in all, the overhead included. */
  readonly total: number;
  /** Of the request, 0..1: what it has in common with the one before it; `lost`, `uncached`: what is served. */
  readonly kept: number;
  /** `lost`: not broken, but the cache's time was over, or another model answers; `uncached`: the request has no breakpoint. */
  readonly state: 'unknown' | 'first' | 'grew' | 'broken' | 'lost' | 'uncached';
  /** The provider reported what had changed in the request that was really made. Not the work of the policy on screen. */
  readonly reported: boolean;
}

/**
 * A cell for each point, at most `most`: of several call points that share one, the one whose cache fared worst. `beside` =
 * tokens of the overhead.
 */
export function cacheCells(points: readonly SeriesPoint[], most: number, beside = 0): readonly CacheCell[] {
  const shown = mergeBy(points, Math.ceil(points.length / Math.max(1, most)));
  return shown.map((point) => cellOf(worstOf(point), beside));
}

function cellOf(point: SeriesPoint, beside: number): CacheCell {
  return { ...computed(point, beside), reported: isReported(point) };
}

function computed(point: SeriesPoint, beside: number): Omit<CacheCell, 'reported'> {
  const total = point.byCategory.reduce((sum, tokens) => sum + tokens, beside + (point.loaded ?? 0));
  const { cache } = point;
  if (cache === undefined) return { point, total, kept: 0, state: 'unknown' };
  if (cache === null) return { point, total, kept: 0, state: 'first' };
  const share = (tokens: number) => (total === 0 ? 0 : Math.min(1, tokens / total));
  if (cache.points === 'none') return { point, total, kept: 0, state: 'uncached' };
  if (cache.brokenBy !== null) return { point, total, kept: share(cache.prefixTokens), state: 'broken' };
  if (isLost(cache)) return { point, total, kept: share(cache.servedTokens), state: 'lost' };
  return { point, total, kept: share(cache.prefixTokens), state: 'grew' };
}

/** All breaks of a session and what they cost, and what its pauses do; `cost` null = no price is known. Unit: tokens, US dollars. */
export interface CacheSum {
  readonly breaks: number;
  readonly again: number;
  readonly cost: number | null;
  /** Requests that came when the cache's time was over. */
  readonly late: number;
  readonly lateTokens: number;
  readonly lateCost: number | null;
  /** Requests that another model than before answers. */
  readonly changed: number;
  readonly changedTokens: number;
  readonly changedCost: number | null;
}

export function sumOf(points: readonly SeriesPoint[]): CacheSum {
  const broken = points.flatMap(({ cache }) => (cache?.brokenBy ? [cache] : []));
  const lost = (why: 'time' | 'model') =>
    points.flatMap(({ cache }) => (cache != null && cache.loss !== null && cache.loss.why === why ? [cache.loss] : []));
  const [late, changed] = [lost('time'), lost('model')];
  return {
    breaks: broken.length,
    again: broken.reduce((sum, { againTokens }) => sum + againTokens, 0),
    cost: costOf(broken),
    late: late.length,
    lateTokens: late.reduce((sum, { tokens }) => sum + tokens, 0),
    lateCost: costOf(late),
    changed: changed.length,
    changedTokens: changed.reduce((sum, { tokens }) => sum + tokens, 0),
    changedCost: costOf(changed),
  };
}

function costOf(all: readonly { readonly cost: number | null }[]): number | null {
  return all.reduce<number | null>((sum, { cost }) => (sum === null || cost === null ? null : sum + cost), 0);
}

/** The next cell with a break, by the policy, by time, by the model or as the provider reported, from a cell in a direction; that cell itself if there is none. */
export function nextBreak(cells: readonly CacheCell[], from: number, direction: 1 | -1): number {
  for (let at = from + direction; at >= 0 && at < cells.length; at += direction) {
    const cell = cells[at];
    if (cell?.state === 'broken' || cell?.state === 'lost' || cell?.reported === true) return at;
  }
  return from;
}
