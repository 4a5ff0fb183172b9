// What the chart says of what is shown and selected. One place, so that screen and tests agree.
import type { Chart } from '../ui/chart.ts';
import { formatCount, plural } from '../ui/format.ts';
import { clockTime, dayTime } from '../ui/time.ts';

/** What of the session is in sight: its calls, and when they were made. */
export interface InSight {
  readonly calls: number;
  readonly all: number;
  /** Source indices of the first and the last call in sight; null = none is. */
  readonly first: number | null;
  readonly last: number | null;
  /** ISO-8601; null = no times are recorded. */
  readonly begins: string | null;
  readonly ends: string | null;
}

export function inSightOf({ bars, source }: Chart): InSight {
  const [first, last] = [bars[0], bars.at(-1)];
  const all = (source.starts[source.points.length] ?? 0) - (source.starts[0] ?? 0);
  if (first === undefined || last === undefined)
    return { calls: 0, all, first: null, last: null, begins: null, ends: null };
  const times = bars.flatMap(({ point }) => point.time ?? []);
  const iso = (ms: number) => (times.length === 0 ? null : new Date(ms).toISOString());
  return {
    calls: last.to - first.from,
    all,
    first: first.point.shares?.first ?? first.point.at,
    last: last.point.shares?.last ?? last.point.at,
    begins: iso(Math.min(...times.map(({ requested }) => requested))),
    ends: iso(Math.max(...times.map(({ until }) => until))),
  };
}

/** `All 653 calls`; `60 of 653 calls, #262–#427`. */
export function describeSight({ calls, all, first, last }: InSight): string {
  if (calls >= all) return `All ${plural(all, 'call')}`;
  if (first === null || last === null) return `No call in sight, of ${formatCount(all)}`;
  return `${formatCount(calls)} of ${plural(all, 'call')}, #${first}–#${last}`;
}

/** `26 Jul, 14:49–20:37`, with seconds if it is shorter than a quarter of an hour; with both days if they differ. */
export function describeSpan(begins: string, ends: string, zone?: string): string {
  const isShort = Date.parse(ends) - Date.parse(begins) < 900_000;
  const clock = (iso: string) => (isShort ? clockTime(iso, zone) : clockTime(iso, zone).slice(0, -3));
  const day = (iso: string) => dayTime(iso, zone).replace(/ \d{4},.*/, '');
  const end = day(begins) === day(ends) ? clock(ends) : `${day(ends)}, ${clock(ends)}`;
  return `${day(begins)}, ${clock(begins)}–${end}`;
}
