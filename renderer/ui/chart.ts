// The chart of the scrubber as numbers and path texts: one bar a call point, or one for several that share a column. What of
// the session is shown, and along which axis, is given.
import { CATEGORIES } from '../../core/model/category.ts';
import { messageTokens, recordedInputOf, refusedOf } from '../../core/protocol/seriesTypes.ts';
import type { SeriesPoint } from '../../core/protocol/types.ts';
import type { Axis, Range } from './look.ts';
import { bySize, byTime, countBelow, type PointSource, positionOf, sourceOf } from './pointSource.ts';

/** Space around the bars, in px: axis labels left, flag above, marks and labels of the axis below. */
export const CHART = { left: 38, right: 12, top: 18, bottom: 26, height: 114 } as const;
/** Of labels below the top edge, in px. */
const LABELS = 12;
/** The same for a chart of a small window: bars and flag, without labels of an axis. */
const STRIP = { top: 17, bottom: 3, height: 44 } as const;

/** A bar. Positions [from, to) of the call points it stands for; x and width in px, within the plot. */
export interface Bar {
  readonly point: SeriesPoint;
  readonly from: number;
  readonly to: number;
  readonly x: number;
  readonly width: number;
}

export interface Chart {
  readonly bars: readonly Bar[];
  /** One for each bar. */
  readonly points: readonly SeriesPoint[];
  /** All points that it was made from: places between bars are looked up there. */
  readonly source: PointSource;
  readonly axis: Axis;
  /** What is shown, and all that there is, in units of the axis. */
  readonly look: Range;
  readonly extent: Range;
  /** Tokens at the bottom of every bar: the overhead. */
  readonly beside: number;
  readonly width: number;
  /** Px of a column and of its bar, where all are alike. */
  readonly step: number;
  readonly barWidth: number;
  /** Tokens at the top edge. */
  readonly max: number;
  /** Whether the window's line lies within the chart. */
  readonly showsWindow: boolean;
  /** y of the top edge and of the bottom of the bars, and the height of all of it. */
  readonly top: number;
  readonly floor: number;
  readonly height: number;
  /** So low that it has no labels of an axis and nothing below the bars. */
  readonly isStrip: boolean;
}

/** What of a session is shown; `look` null = all of it. */
export interface Shown {
  readonly axis: Axis;
  readonly look: Range | null;
  /** Finer points of what is shown, where the chart's own are columns already. */
  readonly detail?: PointSource | null;
  readonly isStrip?: boolean;
  /** Lines over the bars have labels, which need room above them. */
  readonly hasLabels?: boolean;
}

const WHOLE: Shown = { axis: 'calls', look: null };

/** Tokens beside a bar's messages: what every request holds, and the tools that this one's messages load. */
export function overheadOf({ beside }: Pick<Chart, 'beside'>, { loaded = 0 }: SeriesPoint): number {
  return beside + loaded;
}

/** Tokens of a bar's whole request. */
export function requestOf({ beside }: Pick<Chart, 'beside'>, point: SeriesPoint): number {
  return messageTokens(point) + beside;
}

/** Narrower than this, in px, bars could not be told apart. */
const NARROWEST = 2;

/** Px of the plot's width. */
export function plotWidth(width: number): number {
  return Math.max(1, width - CHART.left - CHART.right);
}

/** All that there is along an axis; of time nothing if no time is recorded. */
export function extentOf({ starts, points, times, untils }: PointSource, axis: Axis): Range {
  if (axis === 'calls') return { from: starts[0] ?? 0, to: starts[points.length] ?? 0 };
  const [from, to] = [times?.[0] ?? 0, untils?.[points.length - 1] ?? 0];
  // Room for the bar of what was requested last.
  return { from, to: Math.max(to, from + 1) + Math.max(1, (to - from) * 0.005) };
}

/** Lays the chart out. The window's line is left out where it would press the bars to the floor (over 2.5 times). */
export function layOut(
  points: readonly SeriesPoint[],
  width: number,
  window: number | null,
  beside = 0,
  shown: Shown = WHOLE,
): Chart {
  const whole = sourceOf(points);
  const axis = whole.times === null ? 'calls' : shown.axis;
  const extent = extentOf(whole, axis);
  const look = (axis === shown.axis ? shown.look : null) ?? extent;
  const source = shown.detail ?? whole;
  const placed = axis === 'calls' ? barsByCall(source, look, width) : barsByTime(source, look, width);
  const shownPoints = placed.bars.map(({ point }) => point);
  const highest = shownPoints.reduce(
    (max, point) => Math.max(max, requestOf({ beside }, point), recordedInputOf(point) ?? 0),
    0,
  );
  // A strip has no height to give away.
  const farthest = shown.isStrip === true ? 1.25 : 2.5;
  const showsWindow = window !== null && highest > 0 && window <= highest * farthest;
  const { top, bottom, height } = shown.isStrip === true ? STRIP : CHART;
  // A strip has no height to give away to labels either.
  const labels = shown.hasLabels === true && shown.isStrip !== true ? LABELS : 0;
  const plot = height - bottom - top;
  const above = Math.max(1.06, plot / (plot - labels));
  const max = Math.max(1, highest * above, showsWindow ? window * 1.06 : 0);
  const high = { top, floor: height - bottom, height, isStrip: shown.isStrip === true };
  return { ...placed, ...high, points: shownPoints, source, axis, look, extent, beside, width, max, showsWindow };
}

type Placed = Pick<Chart, 'bars' | 'step' | 'barWidth'>;

/** As many columns as there is room for, each of as many calls; they begin at multiples of that, so that panning changes none. */
function barsByCall(source: PointSource, look: Range, width: number): Placed {
  const plot = plotWidth(width);
  const span = Math.max(1, look.to - look.from);
  const least = Math.ceil(span / Math.max(1, Math.floor(plot / NARROWEST)));
  // What are columns already are joined whole.
  const unit = (source.starts[1] ?? 1) - (source.starts[0] ?? 0) || 1;
  const size = Math.ceil(least / unit) * unit;
  const { points, starts } = bySize(source, size);
  const px = plot / span;
  const step = px * size;
  const barWidth = Math.max(0.75, step > 4 ? step - 1.2 : step > 2 ? step - 0.6 : step);
  const bars: Bar[] = [];
  for (let at = Math.max(0, countBelow(starts, look.from + 1e-9) - 1); at < points.length; at++) {
    const [point, from = 0, to = 0] = [points[at], starts[at], starts[at + 1]];
    if (point === undefined || from >= look.to) break;
    const x = CHART.left + (from - look.from) * px;
    const bar = within(x, x + (to - from) * px, width);
    if (bar === null) continue;
    const gap = bar.width > 2 ? step - barWidth : 0;
    bars.push({ point, from, to, x: bar.x, width: bar.width - gap });
  }
  return { bars, step, barWidth };
}

/** From a request to its answer; requests that are nearer than a bar's width share one. */
function barsByTime(source: PointSource, look: Range, width: number): Placed {
  const plot = plotWidth(width);
  const span = Math.max(1, look.to - look.from);
  const ms = 2 ** Math.ceil(Math.log2((span / plot) * NARROWEST));
  const { points, starts, times, untils } = byTime(source, ms);
  const px = plot / span;
  const place = (time: number) => CHART.left + (time - look.from) * px;
  const bars: Bar[] = [];
  for (const [at, point] of points.entries()) {
    const [time = 0, until = 0, next = Number.POSITIVE_INFINITY] = [times?.[at], untils?.[at], times?.[at + 1]];
    if (time > look.to) break;
    const x = place(time);
    const end = Math.max(x + NARROWEST, Math.min(place(until), place(next)));
    const bar = within(x, end, width);
    if (bar === null) continue;
    const gap = bar.width > 2 * NARROWEST ? 1 : 0;
    bars.push({ point, from: starts[at] ?? 0, to: starts[at + 1] ?? 0, x: bar.x, width: bar.width - gap });
  }
  return { bars, step: plot / Math.max(1, bars.length), barWidth: NARROWEST };
}

/** What of [x, end) lies in the plot; null = nothing. */
function within(x: number, end: number, width: number): Pick<Bar, 'x' | 'width'> | null {
  const left = Math.max(CHART.left, x);
  const right = Math.min(CHART.left + plotWidth(width), end);
  if (right <= CHART.left || left >= CHART.left + plotWidth(width)) return null;
  return { x: left, width: Math.max(0.75, right - left) };
}

/** Height of the plot in px. */
export function plotHeight({ top, floor }: Pick<Chart, 'top' | 'floor'>): number {
  return floor - top;
}

/** y of a number of tokens. */
export function yOf(chart: Pick<Chart, 'max' | 'top' | 'floor'>, tokens: number): number {
  return chart.floor - (tokens / chart.max) * plotHeight(chart);
}

/** Path of one category's boxes over all bars, stacked on the categories before it. */
export function stackPath(chart: Chart, category: number): string {
  let path = '';
  for (const { point, x, width } of chart.bars) {
    const value = point.byCategory[category] ?? 0;
    if (value <= 0) continue;
    let below = overheadOf(chart, point);
    for (let i = 0; i < category; i++) below += point.byCategory[i] ?? 0;
    const top = yOf(chart, below + value);
    path += `M${r(x)} ${r(yOf(chart, below))}V${r(top)}h${r(width)}V${r(yOf(chart, below))}z`;
  }
  return path;
}

/** Path of the overhead, at the bottom of all bars. */
export function overheadPath(chart: Chart): string {
  const floor = r(yOf(chart, 0));
  const box = ({ point, x, width }: Bar) => {
    const beside = overheadOf(chart, point);
    if (beside <= 0) return '';
    return `M${r(x)} ${floor}V${r(yOf(chart, beside))}h${r(width)}V${floor}z`;
  };
  return chart.bars.map(box).join('');
}

/** Path of the lines between the parts of a bar, so that neighbours are told apart without their colours. */
export function seamPath(chart: Chart): string {
  let path = '';
  const plot = plotHeight(chart);
  for (const { point, x, width } of chart.bars) {
    let below = overheadOf(chart, point);
    for (const value of point.byCategory) {
      if (value <= 0) continue;
      // Thinner than two lines it would be a line only.
      const isSeen = below > 0 && (value / chart.max) * plot >= 3 && (below / chart.max) * plot >= 2;
      if (isSeen) path += `M${r(x)} ${r(yOf(chart, below))}h${r(width)}`;
      below += value;
    }
  }
  return path;
}

/** Path of what was recorded, over the bars: a step as wide as each bar's column, joined where the next one has it too. */
export function recordedPath(chart: Chart): string {
  let path = '';
  let isOpen = false;
  chart.bars.forEach(({ point, x, width }, at) => {
    const input = recordedInputOf(point);
    if (input === null) {
      isOpen = false;
      return;
    }
    const next = chart.bars[at + 1]?.x;
    const end = next === undefined ? x + width : next;
    const y = r(yOf(chart, input));
    path += `${isOpen ? `V${y}` : `M${r(x)} ${y}`}H${r(end)}`;
    isOpen = true;
  });
  return path;
}

/** Where requests would be refused, or provider safety refused a stage: the bars they are in. */
export function refusedBars(chart: Chart): readonly (Bar & { readonly refused: number; readonly blocked: number })[] {
  return chart.bars.flatMap((bar) => {
    const { refused, blocked } = refusedOf(bar.point);
    return refused + blocked > 0 ? [{ ...bar, refused, blocked }] : [];
  });
}

/** x of a position among the call points: the left edge of its bar; it may lie outside of the plot. */
export function xOfPosition(chart: Pick<Chart, 'source' | 'axis' | 'look' | 'width'>, position: number): number {
  const { source, axis, look, width } = chart;
  const px = plotWidth(width) / Math.max(1e-9, look.to - look.from);
  const unit = axis === 'calls' ? position : timeOf(source, position);
  return CHART.left + (unit - look.from) * px;
}

/** x of a call point; between two, in proportion between the left edges of their bars. It may lie outside of the plot: see isInSight. */
export function xOf(chart: Chart, at: number): number {
  return chart.source.points.length === 0 ? CHART.left : xOfPosition(chart, positionOf(chart.source, at));
}

/** x of the first call from a place on: what happened between two calls is seen first in the second one's bar. */
export function xOfNextCall(chart: Chart, at: number): number {
  if (chart.source.points.length === 0) return CHART.left;
  return xOfPosition(chart, Math.ceil(positionOf(chart.source, at) - 1e-9));
}

/** Whether an x lies in the plot. */
export function isInSight({ width }: Pick<Chart, 'width'>, x: number): boolean {
  return x >= CHART.left - 0.5 && x <= CHART.left + plotWidth(width) + 0.5;
}

/** When the call at a position was requested; between two, between their times. */
function timeOf({ starts, points, times, untils }: PointSource, position: number): number {
  if (times === null) return 0;
  const at = Math.max(0, countBelow(starts, position + 1e-9) - 1);
  if (at >= points.length) return untils?.[points.length - 1] ?? 0;
  const [start = 0, end = 0, time = 0] = [starts[at], starts[at + 1], times[at]];
  const next = times[at + 1] ?? untils?.[at] ?? time;
  return time + ((position - start) / Math.max(1, end - start)) * (next - time);
}

/** The position under a px, with its fraction, within all call points. */
export function positionAt(chart: Chart, px: number): number {
  const { source, axis, look, width } = chart;
  const { starts, points, times } = source;
  const unit = look.from + ((px - CHART.left) / plotWidth(width)) * (look.to - look.from);
  if (axis === 'calls' || times === null) return Math.min(Math.max(unit, starts[0] ?? 0), starts[points.length] ?? 0);
  return starts[Math.min(points.length, countBelow(times, unit))] ?? 0;
}

/** Position of the bar under a px, or of the nearest; -1 without bars. */
export function barAt({ bars }: Pick<Chart, 'bars'>, px: number): number {
  let low = 0;
  let high = bars.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((bars[middle]?.x ?? 0) <= px) low = middle + 1;
    else high = middle;
  }
  const [before, after] = [bars[low - 1], bars[low]];
  if (before === undefined) return bars.length === 0 ? -1 : 0;
  const isNearer = after !== undefined && px - (before.x + before.width) > after.x - px;
  return isNearer ? low : low - 1;
}

/** The bar that a call point is in; null = it is not in sight. */
export function barOf(chart: Chart, at: number): Bar | null {
  const position = Math.floor(positionOf(chart.source, at) + 1e-9);
  return chart.bars.find(({ from, to }) => position >= from && position < to) ?? null;
}

/** Numbers for an axis from 0, at most so many, below `max`. */
export function niceTicks(max: number, most: number): readonly number[] {
  if (!(max > 0) || most < 1) return [];
  const raw = max / most;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= raw - power * 1e-9) ?? raw;
  const ticks: number[] = [];
  for (let tick = step; tick <= max; tick += step) ticks.push(tick);
  return ticks;
}

/** A label with its place; `width` in px, rather too much than too little. */
export interface Label {
  readonly x: number;
  readonly width: number;
}

/** The labels that lie over no other and none of what is taken; the first in the list go first. */
export function fitLabels<L extends Label>(labels: readonly L[], taken: readonly Label[] = [], gap = 4): readonly L[] {
  const placed: Label[] = [...taken];
  return labels.filter((label) => {
    const isFree = placed.every(
      (other) => label.x >= other.x + other.width + gap || label.x + label.width + gap <= other.x,
    );
    if (isFree) placed.push(label);
    return isFree;
  });
}

/** Marks nearer than `px` to the first of a group are one, with all that are in it. x ascending. */
export function groupMarks<M extends { readonly x: number }>(
  marks: readonly M[],
  px: number,
): readonly { readonly x: number; readonly marks: readonly M[] }[] {
  const groups: { x: number; marks: M[] }[] = [];
  for (const mark of marks) {
    const last = groups.at(-1);
    if (last !== undefined && mark.x - last.x < px) last.marks.push(mark);
    else groups.push({ x: mark.x, marks: [mark] });
  }
  return groups;
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

function r(value: number): number {
  return Math.round(value * 100) / 100;
}

/** The last call point of a bar. */
export function lastOf(point: SeriesPoint | undefined): number | undefined {
  return point?.shares?.last ?? point?.at;
}

/** The last call point in front of the first bar; -Infinity if there is none. */
export function callsBefore({ bars, source }: Chart): number {
  const first = bars[0];
  if (first === undefined) return Number.NEGATIVE_INFINITY;
  return source.lasts[countBelow(source.starts, first.from) - 1] ?? Number.NEGATIVE_INFINITY;
}

/** Px of the bars [from, to), up to where the next one begins. */
export function spanOf({ bars }: Chart, from: number, to: number): { readonly x: number; readonly width: number } {
  const [first, last, next] = [bars[from], bars[to - 1], bars[to]];
  const x = first?.x ?? CHART.left;
  const end = next?.x ?? (last === undefined ? x : last.x + last.width);
  return { x, width: Math.max(1, end - x) };
}

/** The middle of a call point's own bar, or where it would be in a column that it shares; along time, when it was requested. */
export function middleOf(chart: Chart, at: number): number {
  const position = positionOf(chart.source, at);
  return xOfPosition(chart, chart.axis === 'calls' ? position + 0.5 : position);
}
