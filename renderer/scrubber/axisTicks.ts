// Where the labels of the chart are: none lies over another.
import {
  CHART,
  type Chart,
  fitLabels,
  isInSight,
  niceTicks,
  plotHeight,
  plotWidth,
  xOf,
  xOfPosition,
} from '../ui/chart.ts';
import { clockTime, shortTime } from '../ui/time.ts';

/** Px of a letter, rather too much than too little. */
export const LETTER = 6.1;

/** Px from one label up the axis to the next, at least. */
const ROW = 22;

/** Numbers of tokens that the axis names. */
export function yTicks(chart: Pick<Chart, 'max' | 'points' | 'top' | 'floor' | 'isStrip'>): readonly number[] {
  if (chart.points.length === 0 || chart.isStrip) return [];
  return niceTicks(chart.max * 0.97, Math.max(1, Math.floor(plotHeight(chart) / ROW)));
}

/** A label under the bars; `x` = its left edge, `at` = what it is a label of. */
export interface AxisLabel {
  readonly x: number;
  readonly width: number;
  readonly at: number;
  readonly text: string;
  /** ISO-8601; null = a call is meant. */
  readonly iso: string | null;
}

/** The labels of the calls, or of the time, that fit. */
export function xLabels(chart: Chart, messages: number, now: number, zone?: string): readonly AxisLabel[] {
  const labels = chart.axis === 'time' ? timeLabels(chart, now, zone) : callLabels(chart, messages);
  const [left, right] = [CHART.left - 14, chart.width - 2];
  const held = labels.map((label) => ({ ...label, x: Math.max(left, Math.min(label.x, right - label.width)) }));
  return fitLabels(held, [], 14);
}

function callLabels(chart: Chart, messages: number): readonly AxisLabel[] {
  const room = Math.max(1, Math.floor(plotWidth(chart.width) / 90));
  const every = Math.max(1, Math.ceil(chart.bars.length / room));
  return chart.bars.flatMap(({ point, x, width }, bar) => {
    const at = point.shares?.first ?? point.at;
    if (bar % every !== 0 || at >= messages) return [];
    const text = `#${at}`;
    const wide = text.length * LETTER;
    return [{ at: x + width / 2, x: x + width / 2 - wide / 2, width: wide, text, iso: null }];
  });
}

const SECOND = 1000;
const DAY = 86_400_000;
const STEPS: readonly number[] = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200]
  .map((seconds) => seconds * SECOND)
  .concat([1, 2, 5, 10, 20, 50, 100, 200].map((days) => days * DAY));

function timeLabels({ look, width }: Chart, now: number, zone?: string): readonly AxisLabel[] {
  const span = look.to - look.from;
  const step = STEPS.find((each) => span / each <= plotWidth(width) / 110) ?? span;
  const labels: AxisLabel[] = [];
  for (let time = Math.ceil(look.from / step) * step; time <= look.to; time += step) {
    const iso = new Date(time).toISOString();
    const clock = clockTime(iso, zone);
    const text = step >= DAY ? shortTime(iso, now, zone) : step < 60 * SECOND ? clock : clock.slice(0, -3);
    const x = CHART.left + ((time - look.from) / span) * plotWidth(width);
    labels.push({ at: x, x: x - (text.length * LETTER) / 2, width: text.length * LETTER, text, iso });
  }
  return labels;
}

/** The flag of the call point: where it is and what it says. */
export function flagOf(chart: Chart, at: number, messages: number): { x: number; width: number; label: string } | null {
  const isNext = at >= messages;
  const { starts, points } = chart.source;
  const x = isNext ? xOfPosition(chart, starts[points.length] ?? 0) : xOf(chart, at);
  if (points.length === 0 || !isInSight(chart, x)) return null;
  const label = isNext ? 'next request' : `call #${at}`;
  const width = label.length * LETTER + 12;
  return { x: Math.max(2, Math.min(chart.width - width - 2, x - width / 2)), width, label };
}
