// browser-safe
import type { Now } from './types.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const UNITS: Readonly<Record<string, number>> = { h: DAY / 24, d: DAY, w: 7 * DAY };
const RELATIVE = /^(\d{1,4})(h|d|w|m|y)$/;
const DATE = /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2})(?:[t ](\d{1,2}):(\d{2})(?::(\d{2}))?(z?))?)?)?$/;

/**
 * The moment a word about time names, in epoch milliseconds; null if it names none. `2026`, `2026-01`, `2026-01-05`
 * mean their first moment where the user is; `2026-01-05T14:00`; `7d` (h, d, w, m = months, y) ago; today; yesterday.
 */
export function parseMoment(value: string, now: Now): number | null {
  const text = value.toLowerCase();
  if (text === 'today') return midnight(now, 0);
  if (text === 'yesterday') return midnight(now, 1);
  const relative = RELATIVE.exec(text);
  if (relative !== null) return ago(Number(relative[1]), relative[2] ?? 'd', now);
  const date = DATE.exec(text);
  return date === null ? null : absolute(date, now);
}

function absolute(date: RegExpExecArray, now: Now): number | null {
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = date
    .slice(1, 7)
    .map((part) => (part === undefined ? undefined : Number(part)));
  const utc = Date.UTC(year, month - 1, day, hour, minute, second);
  const read = new Date(utc);
  // The 31st of February is not a date.
  const exists = read.getUTCMonth() === month - 1 && read.getUTCDate() === day && hour < 24 && minute < 60;
  if (!exists || year < 1970) return null;
  return date[7] === 'z' ? utc : utc - now.zoneMinutes * MINUTE;
}

function ago(count: number, unit: string, now: Now): number {
  const fixed = UNITS[unit];
  if (fixed !== undefined) return now.time - count * fixed;
  const then = new Date(now.time);
  if (unit === 'm') then.setUTCMonth(then.getUTCMonth() - count);
  else then.setUTCFullYear(then.getUTCFullYear() - count);
  return then.getTime();
}

function midnight(now: Now, daysAgo: number): number {
  const zone = now.zoneMinutes * MINUTE;
  return Math.floor((now.time + zone) / DAY) * DAY - zone - daysAgo * DAY;
}
