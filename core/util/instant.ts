// Recorded times: as milliseconds, and which of two is earlier. ISO-8601 texts order as texts only where they have one form.

const ZERO = 48;
const DAY_MS = 86_400_000;

/**
 * A recorded time in milliseconds since 1970, as Date.parse reads it; null = there is none, or no time can be read from it.
 * Figures read the times of all messages: the form that nearly all have, `2026-02-03T10:00:07.000Z`, is read directly.
 */
export function millisecondsOf(timestamp: string | null | undefined): number | null {
  if (timestamp === undefined || timestamp === null) return null;
  const time = usualTime(timestamp) ?? Date.parse(timestamp);
  return Number.isNaN(time) ? null : time;
}

/** Null = another form, or a day that not every month has. */
function usualTime(text: string): number | null {
  if (text.length !== 24 || text[4] !== '-' || text[7] !== '-' || text[10] !== 'T') return null;
  if (text[13] !== ':' || text[16] !== ':' || text[19] !== '.' || text[23] !== 'Z') return null;
  const year = digits(text, 0, 4);
  const month = digits(text, 5, 7);
  const day = digits(text, 8, 10);
  const hour = digits(text, 11, 13);
  const minute = digits(text, 14, 16);
  const second = digits(text, 17, 19);
  const fraction = digits(text, 20, 23);
  if (!(year >= 1970 && month >= 1 && month <= 12 && day >= 1 && day <= 28)) return null;
  if (!(hour <= 23 && minute <= 59 && second <= 59 && fraction <= 999)) return null;
  return dayNumber(year, month, day) * DAY_MS + ((hour * 60 + minute) * 60 + second) * 1000 + fraction;
}

/** Days since 1970-01-01, counted from March on: the leap day is the last of such a year. */
function dayNumber(year: number, month: number, day: number): number {
  const y = month > 2 ? year : year - 1;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  return y * 365 + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400) + dayOfYear - 719_468;
}

/** NaN if one of them is not a digit. */
function digits(text: string, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at++) {
    const digit = text.charCodeAt(at) - ZERO;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

/**
 * Whether the time `a` is before `b`: ISO-8601, with or without fractions and zones. A text that no time can be read
 * from is ordered as a text.
 */
export function isBefore(a: string, b: string): boolean {
  if (a.length === b.length && a.endsWith('Z') && b.endsWith('Z')) return a < b;
  const [first, second] = [Date.parse(a), Date.parse(b)];
  // Fractions below a millisecond are lost by parsing.
  return first === second || Number.isNaN(first) || Number.isNaN(second) ? a < b : first < second;
}

/** The earlier of two recorded times; null = none. */
export function earlier(a: string | null, b: string | null): string | null {
  return a === null || (b !== null && isBefore(b, a)) ? b : a;
}

/** The later of two recorded times; null = none. */
export function later(a: string | null, b: string | null): string | null {
  return a === null || (b !== null && isBefore(a, b)) ? b : a;
}
