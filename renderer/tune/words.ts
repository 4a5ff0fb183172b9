// How a sweep is put into words and figures.
import type { AskedSweep, BrokenCondition, SweepInfo, SweptPoint, VariedValue } from '../../core/protocol/tuneTypes.ts';
import { partialSum } from '../../core/view/costCover.ts';
import { figureSign, formatCost, formatCount, plural } from '../ui/format.ts';

/** What the chart's x axis and the frontier go by. */
export type Measure = 'cost' | 'mean' | 'peak';

export const MEASURE_TITLE: Readonly<Record<Measure, string>> = {
  cost: 'Input cost',
  mean: 'Mean tokens',
  peak: 'Peak',
};

/** A figure of a point; null = it is not known. */
export function measureOf({ cost, tokens }: Pick<SweptPoint, 'cost' | 'tokens'>, measure: Measure): number | null {
  return measure === 'cost' ? cost : tokens[measure];
}

export function valueText(value: VariedValue): string {
  if (typeof value === 'number') return Number.isInteger(value) ? formatCount(value) : String(value);
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return value;
}

/** `Turns to keep 8, act every 20`. */
export function pointTitle({ axes }: Pick<SweepInfo, 'axes'>, { values }: Pick<SweptPoint, 'values'>): string {
  const parts = axes.map(({ label }, at) => `${label} ${valueText(values[at] ?? '')}`);
  return parts.map((part, at) => (at === 0 ? part : part.charAt(0).toLowerCase() + part.slice(1))).join(', ');
}

type Counted = Pick<SweptPoint, 'provenance'>;

export function costText({ cost, unpriced, provenance }: Counted & Pick<SweptPoint, 'cost' | 'unpriced'>): string {
  return cost === null ? '–' : partialSum(`${figureSign(provenance)}${formatCost(cost)}`, unpriced);
}

export function tokensText(tokens: number, { provenance }: Counted): string {
  return `${figureSign(provenance)}${formatCount(tokens)}`;
}

/** `−$3.03`, with the sign of how it is known. */
export function costChange(now: number, before: number, counted: Counted): string {
  const change = now - before;
  const sign = change < 0 ? '−' : '+';
  return `${figureSign(counted.provenance)}${sign}${formatCost(Math.abs(change))}`;
}

/** Uses that would still be in the request. */
export function keptUses({ uses, usesGone }: Pick<SweptPoint, 'uses' | 'usesGone'>): number {
  return uses - usesGone;
}

/** How a point stands among the others: the mark of chart and table. */
export type PointMark = 'front' | 'beaten' | 'over' | 'breaks';

export const MARK_TITLE: Readonly<Record<PointMark, string>> = {
  front: 'frontier',
  beaten: 'beaten',
  over: 'over the window, or refused',
  breaks: 'breaks a condition',
};

export function markOf({ over, refused, breaks, front }: SweptPoint): PointMark {
  if (over > 0 || refused > 0) return 'over';
  if (breaks.length > 0) return 'breaks';
  return front ? 'front' : 'beaten';
}

export const BROKEN_TITLE: Readonly<Record<BrokenCondition, string>> = {
  max_peak: 'peak too large',
  max_uses_gone: 'too many uses gone',
  keep: 'a text to keep is gone',
};

/** What a sweep is doing, or how it ended. */
export function stateText({ state, points, size, known, axes }: SweepInfo): string {
  const found = formatCount(points.length);
  const again = known > 0 ? ` · ${formatCount(known)} from before` : '';
  if (state === 'failed') return 'Not finished';
  if (state === 'outdated') return 'Made by another version';
  if (state === 'running' && axes.length === 0) return 'Looking for critical values…';
  const isSearched = size !== null && points.length < size && state === 'done';
  if (isSearched) return `${found} of ${formatCount(size)} points tried${again}`;
  if (state === 'done') return `${plural(points.length, 'point')}${again}`;
  const of = size === null ? '' : ` of ${formatCount(size)}`;
  return state === 'stopped' ? `Stopped at ${found}${of}` : `${found}${of}${again}`;
}

/** `reachability_gc.root_window`, in the words of the screen where they are known. */
export function variedText({ vary }: Pick<AskedSweep, 'vary'>): string {
  return vary.map(({ option, values }) => `${option} = ${values}`).join(', ');
}
