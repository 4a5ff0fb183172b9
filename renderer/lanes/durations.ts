// The lane of durations as numbers: answers, tools and waiting for a person, on the chart's x axis.
import type { PointTime } from '../../core/protocol/types.ts';
import { type Bar, CHART, type Chart, plotWidth } from '../ui/chart.ts';

export const KINDS = ['took', 'tools', 'waiting'] as const;
export type DurationKind = (typeof KINDS)[number];

export const DURATION_WORD: Readonly<Record<DurationKind, string>> = {
  took: 'answers',
  tools: 'tools',
  waiting: 'waiting for a person',
};

/** A box of a row. x and width in px; `share` of the row's height, 0..1; `ms` = the duration it is of, the longest in a column. */
export interface DurationBox {
  readonly x: number;
  readonly width: number;
  readonly share: number;
  readonly ms: number;
  readonly at: number;
}

/** The longest of a kind in sight, in ms; 0 if there is none. */
export function longestOf({ bars }: Pick<Chart, 'bars'>, kind: DurationKind): number {
  return bars.reduce((most, { point }) => Math.max(most, point.time?.[kind] ?? 0), 0);
}

/**
 * The boxes of a row. Along calls each is as high as its duration (by the square root: a pause of hours leaves seconds in
 * sight). Along time a call's own times are as wide as they took; a column that calls share is as high as the longest.
 */
export function durationBoxes(chart: Chart, kind: DurationKind): readonly DurationBox[] {
  const longest = longestOf(chart, kind);
  if (longest === 0) return [];
  return chart.bars.flatMap((bar) => {
    const ms = bar.point.time?.[kind] ?? 0;
    if (ms <= 0) return [];
    const share = Math.max(0.12, Math.sqrt(ms / longest));
    const isAlone = chart.axis === 'time' && bar.point.shares === undefined && bar.point.time !== undefined;
    const placed = isAlone && bar.point.time ? ownSpan(chart, bar.point.time, kind) : { x: bar.x, width: bar.width };
    return placed === null ? [] : [{ ...placed, share: isAlone ? 1 : share, ms, at: atOf(bar) }];
  });
}

function atOf({ point }: Bar): number {
  return point.shares?.first ?? point.at;
}

/** Where a call's own time lies: its answer behind the request, tools and waiting in front of it. */
function ownSpan({ look, width }: Chart, time: PointTime, kind: DurationKind) {
  const { requested, took, tools, waiting } = time;
  const rested = requested - (waiting ?? 0);
  const spans: Readonly<Record<DurationKind, readonly [number, number]>> = {
    took: [requested, requested + (took ?? 0)],
    tools: [rested - (tools ?? 0), rested],
    waiting: [rested, requested],
  };
  const [from, to] = spans[kind];
  const px = plotWidth(width) / Math.max(1e-9, look.to - look.from);
  const left = Math.max(CHART.left, CHART.left + (from - look.from) * px);
  const right = Math.min(CHART.left + plotWidth(width), CHART.left + (to - look.from) * px);
  return right < CHART.left || left > CHART.left + plotWidth(width)
    ? null
    : { x: left, width: Math.max(1, right - left) };
}
