// Where the bars of days stand: one for each day between the first and the last, as many as fit.
import type { StatsInfo } from '../../core/protocol/types.ts';
import { type Measure, measured } from './words.ts';

export const CHART = { left: 56, right: 8, top: 10, plot: 132, bottom: 22 } as const;
export const CHART_HEIGHT = CHART.top + CHART.plot + CHART.bottom;
const BAR_MOST = 28;
const BAR_LEAST = 4;
const DAY_MS = 86_400_000;

type Day = StatsInfo['days']['groups'][number];

/** A day's bar: pieces from the floor up, in pixels. */
export interface DayBar {
  readonly day: string;
  /** Null = nothing happened on it. */
  readonly group: Day | null;
  readonly x: number;
  readonly width: number;
  readonly pieces: readonly { readonly y: number; readonly height: number; readonly slot: number }[];
}

export interface DayBars {
  readonly bars: readonly DayBar[];
  readonly ticks: readonly { readonly y: number; readonly value: number }[];
  /** Earlier days that have no room. */
  readonly hidden: number;
}

/** Lays bars out in a width. */
export function layOutDays({ days }: StatsInfo, measure: Measure, width: number): DayBars {
  const dated = days.groups.filter(({ value }) => value !== '');
  const byDay = new Map(dated.map((group) => [group.value, group]));
  const [last, first] = [dated[0]?.value, dated.at(-1)?.value];
  const room = Math.max(0, width - CHART.left - CHART.right);
  if (last === undefined || first === undefined || room === 0) return { bars: [], ticks: [], hidden: 0 };
  const span = Math.round((Date.parse(last) - Date.parse(first)) / DAY_MS) + 1;
  const shown = Math.min(span, Math.max(1, Math.floor(room / BAR_LEAST)));
  const step = Math.min(BAR_MOST * 1.4, room / shown);
  const names = Array.from({ length: shown }, (_, at) => dayBefore(last, shown - 1 - at));
  const highest = Math.max(0, ...names.map((day) => heightOf(byDay.get(day), measure)));
  const top = niceCeiling(highest);
  const scale = top === 0 ? 0 : CHART.plot / top;
  return {
    bars: names.map((day, at) => {
      const group = byDay.get(day) ?? null;
      return {
        day,
        group,
        x: CHART.left + at * step,
        width: Math.max(1, step - 1),
        pieces: piecesOf(group, measure, scale),
      };
    }),
    ticks: top === 0 ? [] : [0, 0.5, 1].map((part) => ({ value: part * top, y: CHART.top + CHART.plot * (1 - part) })),
    hidden: [...byDay.keys()].filter((day) => day < (names[0] ?? '')).length,
  };
}

function heightOf(group: Day | undefined, measure: Measure): number {
  return group?.stack.reduce((sum, piece) => sum + (measured(piece, measure) ?? 0), 0) ?? 0;
}

function piecesOf(group: Day | null, measure: Measure, scale: number): DayBar['pieces'] {
  let floor = CHART.top + CHART.plot;
  return (group?.stack ?? []).flatMap((piece, slot) => {
    const height = (measured(piece, measure) ?? 0) * scale;
    if (height === 0) return [];
    // A bar that is there is seen.
    const drawn = Math.max(1, height);
    floor -= drawn;
    return [{ y: floor, height: Math.max(0.5, drawn - 1), slot }];
  });
}

function dayBefore(day: string, by: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - by * DAY_MS).toISOString().slice(0, 10);
}

function niceCeiling(value: number): number {
  if (value <= 0) return 0;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5, 10].find((factor) => factor * power >= value) ?? 10) * power;
}
