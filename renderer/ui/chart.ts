// The chart of the scrubber as numbers and path texts. Bars are evenly spaced: one a call point, or one a sample.
import { CATEGORIES } from '../../core/model/category.ts';
import type { SeriesPoint } from '../../core/protocol/types.ts';

/** Space around the bars, in px: axis labels left, flag above, marks below. */
export const CHART = { left: 38, right: 12, top: 18, bottom: 16, height: 104 } as const;

export interface Chart {
  readonly points: readonly SeriesPoint[];
  /** Tokens at the bottom of every bar: the overhead. */
  readonly beside: number;
  readonly width: number;
  readonly step: number;
  readonly barWidth: number;
  /** Tokens at the top edge. */
  readonly max: number;
  /** Whether the window's line lies within the chart. */
  readonly showsWindow: boolean;
}

/** Tokens of a bar's messages over all categories. */
export function totalOf(point: SeriesPoint): number {
  return point.byCategory.reduce((sum, value) => sum + value, 0);
}

/** Tokens beside a bar's messages: what every request holds, and the tools that this one's messages load. */
export function overheadOf({ beside }: Pick<Chart, 'beside'>, { loaded = 0 }: SeriesPoint): number {
  return beside + loaded;
}

/** Tokens of a bar's whole request. */
export function requestOf(chart: Pick<Chart, 'beside'>, point: SeriesPoint): number {
  return totalOf(point) + overheadOf(chart, point);
}

/** Between bars: what all of them hold changes no order. */
const NO_MORE = { beside: 0 } as const;

/** Narrower than this, in px, bars could not be told apart. */
const NARROWEST = 2;

/** As many points as there is room for: of several that share a bar the one with the most tokens stands for them. */
export function thinned(points: readonly SeriesPoint[], most: number): readonly SeriesPoint[] {
  if (points.length <= most) return points;
  return Array.from({ length: most }, (_, bar) => {
    const from = Math.floor((bar * points.length) / most);
    const shared = points.slice(from, Math.floor(((bar + 1) * points.length) / most));
    return shared.reduce((highest, point) =>
      requestOf(NO_MORE, point) >= requestOf(NO_MORE, highest) ? point : highest,
    );
  });
}

/** Lays the chart out. The window's line is left out where it would press the bars to the floor (over 2.5 times). */
export function layOut(all: readonly SeriesPoint[], width: number, window: number | null, beside = 0): Chart {
  const points = thinned(all, Math.max(1, Math.floor((width - CHART.left - CHART.right) / NARROWEST)));
  const highest = points.reduce((max, point) => Math.max(max, requestOf({ beside }, point), recordedOf(point) ?? 0), 0);
  const showsWindow = window !== null && highest > 0 && window <= highest * 2.5;
  const max = Math.max(1, highest * 1.06, showsWindow ? window * 1.06 : 0);
  const plot = Math.max(1, width - CHART.left - CHART.right);
  const step = plot / Math.max(1, points.length);
  return {
    points,
    beside,
    width,
    step,
    barWidth: Math.max(0.75, step > 4 ? step - 1.2 : step > 2 ? step - 0.6 : step),
    max,
    showsWindow,
  };
}

/** Height of the plot in px. */
export const PLOT = CHART.height - CHART.top - CHART.bottom;

/** y of a number of tokens. */
export function yOf(chart: Chart, tokens: number): number {
  return CHART.top + PLOT - (tokens / chart.max) * PLOT;
}

/** Path of one category's boxes over all bars, stacked on the categories before it. */
export function stackPath(chart: Chart, category: number): string {
  let path = '';
  chart.points.forEach((point, position) => {
    const value = point.byCategory[category] ?? 0;
    if (value <= 0) return;
    let below = overheadOf(chart, point);
    for (let i = 0; i < category; i++) below += point.byCategory[i] ?? 0;
    const x = CHART.left + position * chart.step;
    const top = yOf(chart, below + value);
    path += `M${r(x)} ${r(yOf(chart, below))}V${r(top)}h${r(chart.barWidth)}V${r(yOf(chart, below))}z`;
  });
  return path;
}

/** Path of the overhead, at the bottom of all bars. */
export function overheadPath(chart: Chart): string {
  const { step, barWidth } = chart;
  const floor = r(yOf(chart, 0));
  const box = (point: SeriesPoint, position: number) => {
    const beside = overheadOf(chart, point);
    if (beside <= 0) return '';
    return `M${r(CHART.left + position * step)} ${floor}V${r(yOf(chart, beside))}h${r(barWidth)}V${floor}z`;
  };
  return chart.points.map(box).join('');
}

/** The recorded input of a bar's request; null = none is recorded. */
export function recordedOf(point: SeriesPoint): number | null {
  return point.recorded?.input ?? null;
}

/** Path of what was recorded, over the bars: a step as wide as each bar, joined where the next one has it too. */
export function recordedPath(chart: Chart): string {
  let path = '';
  let isOpen = false;
  chart.points.forEach((point, position) => {
    const input = recordedOf(point);
    if (input === null) {
      isOpen = false;
      return;
    }
    const x = r(CHART.left + position * chart.step);
    const y = r(yOf(chart, input));
    path += isOpen ? `V${y}h${r(chart.step)}` : `M${x} ${y}h${r(chart.step)}`;
    isOpen = true;
  });
  return path;
}

/** x of a call point: the left edge of its bar; between two samples, between their bars. */
export function xOf(chart: Chart, at: number): number {
  const { points } = chart;
  const next = firstAtOrAfter(points, at);
  const after = points[next];
  const before = points[next - 1];
  if (!after) return CHART.left + points.length * chart.step;
  if (!before || after.at === at) return CHART.left + next * chart.step;
  const share = (at - before.at) / Math.max(1, after.at - before.at);
  return CHART.left + (next - 1 + share) * chart.step;
}

/** Position of the bar under a px; clamps at the ends; -1 without bars. */
export function barAt(chart: Chart, px: number): number {
  if (chart.points.length === 0) return -1;
  return Math.max(0, Math.min(chart.points.length - 1, Math.floor((px - CHART.left) / chart.step)));
}

/**
 * Marks with the px that each has for a label up to the next mark, whose line must not cross it; `free` = 0 of those
 * before `from`, where something else is written. `end` = where the last label ends.
 */
export function spaceLabels<M extends { readonly x: number }>(
  marks: readonly M[],
  end = Number.POSITIVE_INFINITY,
  from = Number.NEGATIVE_INFINITY,
): readonly (M & { readonly free: number })[] {
  return marks.map((mark, number) => {
    const next = marks[number + 1]?.x ?? Number.POSITIVE_INFINITY;
    return { ...mark, free: mark.x < from ? 0 : Math.min(next, end) - mark.x };
  });
}

/** A mark's label without what is in parentheses, at most so many characters. */
export function shortLabel(label: string, most = 18): string {
  const short = label.split(' (')[0] ?? label;
  return short.length > most ? `${short.slice(0, most - 1)}…` : short;
}

/** The bar's figures by category, largest first, without empty ones. */
export function figuresOf(
  point: SeriesPoint,
): readonly { readonly category: (typeof CATEGORIES)[number]; readonly tokens: number }[] {
  return CATEGORIES.map((category, slot) => ({ category, tokens: point.byCategory[slot] ?? 0 }))
    .filter((one) => one.tokens > 0)
    .sort((a, b) => b.tokens - a.tokens);
}

function firstAtOrAfter(points: readonly SeriesPoint[], at: number): number {
  let low = 0;
  let high = points.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((points[middle]?.at ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

function r(value: number): number {
  return Math.round(value * 100) / 100;
}
