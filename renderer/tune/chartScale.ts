// Places of the points of a sweep in the chart: cost to the right, upwards how much of what was used they keep.
import type { SweptPoint } from '../../core/protocol/tuneTypes.ts';
import { keptUses, type Measure, measureOf } from './words.ts';

/** Room for labels, in px. */
export const ROOM = { left: 58, right: 30, top: 32, bottom: 38 } as const;

export interface ChartScale {
  readonly width: number;
  readonly height: number;
  readonly x: (value: number) => number;
  /** `kept` = share of uses, 0 to 1. */
  readonly y: (kept: number) => number;
  readonly xTicks: readonly number[];
  readonly yTicks: readonly number[];
}

/** Share of uses that the requests still hold; 1 where nothing was used. */
export function keptShare(point: Pick<SweptPoint, 'uses' | 'usesGone'>): number {
  return point.uses === 0 ? 1 : keptUses(point) / point.uses;
}

/** A scale around all points; null = nothing to be drawn. */
export function scaleOf(
  points: readonly SweptPoint[],
  measure: Measure,
  { width, height }: { readonly width: number; readonly height: number },
): ChartScale | null {
  const values = points.flatMap((point) => measureOf(point, measure) ?? []);
  if (values.length === 0 || width <= ROOM.left + ROOM.right) return null;
  const shares = points.map(keptShare);
  const xTicks = ticksBetween(Math.min(...values), Math.max(...values));
  const yTicks = ticksBetween(Math.min(...shares), Math.max(...shares)).filter((tick) => tick <= 1 && tick >= 0);
  const xAt = axis(spanOf(values, xTicks), ROOM.left, width - ROOM.right);
  const yAt = axis(spanOf(shares, yTicks), height - ROOM.bottom, ROOM.top);
  return { width, height, x: xAt, y: yAt, xTicks, yTicks };
}

type Span = readonly [number, number];

function spanOf(values: readonly number[], ticks: readonly number[]): Span {
  const all = [...values, ...ticks];
  const [least, most] = [Math.min(...all), Math.max(...all)];
  if (least !== most) return [least, most];
  return least === 0 ? [0, 1] : [least - Math.abs(least) / 10, most + Math.abs(most) / 10];
}

function axis([least, most]: Span, from: number, to: number): (value: number) => number {
  return (value) => from + ((value - least) / (most - least)) * (to - from);
}

const STEPS = [1, 2, 2.5, 5, 10] as const;
/** Lines of an axis, about. */
const LINES = 5;

/** Round numbers around a span. */
export function ticksBetween(least: number, most: number): readonly number[] {
  if (most <= least) return [least];
  const rough = (most - least) / LINES;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = (STEPS.find((each) => each * power >= rough) ?? 10) * power;
  const first = Math.floor(least / step);
  const count = Math.ceil(most / step) - first + 1;
  return Array.from({ length: count }, (_, at) => Number(((first + at) * step).toPrecision(12)));
}

/** Decimals at most: of steps smaller than this nobody sweeps. */
const DIGITS_MOST = 9;

/** The words at the lines of an axis: all with as many decimals as the step between them needs, so that no two read alike. */
export function tickWords(ticks: readonly number[], measure: Measure): readonly string[] {
  const [unit, name] = measure === 'cost' ? PLAIN : unitOf(Math.max(...ticks));
  const [first = 0, second = first] = ticks;
  const step = (second - first || first) / unit;
  const isFull = (digits: number): boolean => Math.abs(Number(step.toFixed(digits)) - step) < Math.abs(step) / 1e6;
  let digits = 0;
  while (digits < DIGITS_MOST && !isFull(digits)) digits++;
  const format = new Intl.NumberFormat('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return ticks.map((tick) => (measure === 'cost' ? `$${format.format(tick)}` : `${format.format(tick / unit)}${name}`));
}

const PLAIN = [1, ''] as const;

function unitOf(most: number): readonly [number, string] {
  if (most < 1000) return PLAIN;
  return most < 1_000_000 ? [1000, 'k'] : [1_000_000, 'M'];
}

/** The frontier as steps: from one point of it to the next, what costs less first. */
export function frontPath(points: readonly SweptPoint[], measure: Measure, { x, y }: ChartScale): string {
  const front = points
    .flatMap((point) => {
      const value = measureOf(point, measure);
      return point.front && value !== null ? [{ value, share: keptShare(point) }] : [];
    })
    .sort((a, b) => a.value - b.value || a.share - b.share);
  return front
    .map(({ value, share }, at) => (at === 0 ? `M${x(value)} ${y(share)}` : `H${x(value)}V${y(share)}`))
    .join('');
}
