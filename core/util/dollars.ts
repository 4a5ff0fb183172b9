// browser-safe
// How sums of money are written in words: everywhere the same, in core, on screen and on the command line.
import { grouped } from './counts.ts';

const WHOLE_FROM = 100;
const CENTS = 2;
/** Digits behind the point at most; a sum below them is nothing. */
const MOST_DIGITS = 6;

/** `$1.24`, `$0.0031`, `$0`: cents; small sums keep two digits that say something. US dollars, not negative. */
export function dollarsText(dollars: number): string {
  if (dollars === 0) return '$0';
  if (dollars < 10 ** -MOST_DIGITS) return `<$${(10 ** -MOST_DIGITS).toFixed(MOST_DIGITS)}`;
  if (dollars < 0.01) return `$${dollars.toPrecision(2)}`;
  return centsText(dollars.toFixed(CENTS));
}

/** The same in few characters: whole dollars from a hundred on, `$1,240`. */
export function shortDollars(dollars: number): string {
  return dollars >= WHOLE_FROM ? `$${grouped(Math.round(dollars))}` : dollarsText(dollars);
}

/** Two sums side by side, and what the second has more, unsigned; null = no difference can be seen. */
export interface DollarsCompared {
  readonly a: string;
  readonly b: string;
  readonly more: string | null;
}

/**
 * Two sums with as many digits as their difference needs, so that who subtracts one from the other gets what is said:
 * `$0.286` and `$0.311`, `$0.025` more.
 */
export function comparedDollars(a: number, b: number): DollarsCompared {
  const difference = Math.abs(b - a);
  if (difference < 10 ** -MOST_DIGITS) return { a: shortDollars(a), b: shortDollars(b), more: null };
  const leading = Math.floor(Math.log10(difference));
  const isWhole = Math.min(a, b) >= WHOLE_FROM && leading >= 1;
  const digits = isWhole ? 0 : Math.min(MOST_DIGITS, Math.max(CENTS, 1 - leading));
  const [textA, textB] = [a.toFixed(digits), b.toFixed(digits)];
  const more = Math.abs(Number(textB) - Number(textA)).toFixed(digits);
  return { a: centsText(textA), b: centsText(textB), more: centsText(more) };
}

function centsText(fixed: string): string {
  const [whole = '', rest] = fixed.split('.');
  return rest === undefined ? `$${grouped(Number(whole))}` : `$${grouped(Number(whole))}.${rest}`;
}
