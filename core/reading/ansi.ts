// browser-safe
// Colours of a terminal's output. Source: ECMA-48, 8.3.117 (SGR). Only colours and weight are acted on; no sequence may
// hide, move or remove a character: any other one stays in the text, where it is shown by its codes.

export type AnsiColor = 'black' | 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan' | 'white';

/** A stretch of text in one look. `color` null = that of the text around; backgrounds are not drawn. */
export interface AnsiSpan {
  readonly text: string;
  readonly color: AnsiColor | null;
  readonly isBold: boolean;
  readonly isDim: boolean;
  readonly isItalic: boolean;
  readonly isUnderlined: boolean;
  readonly isInverse: boolean;
}

type Look = Omit<AnsiSpan, 'text'>;

const PLAIN: Look = {
  color: null,
  isBold: false,
  isDim: false,
  isItalic: false,
  isUnderlined: false,
  isInverse: false,
};
const COLORS: readonly AnsiColor[] = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];
const SGR = /\x1b\[([\d;:]{0,64})m/g;

/** The text without its colour sequences, in stretches of one look, in order. */
export function ansiSpans(text: string): readonly AnsiSpan[] {
  const spans: AnsiSpan[] = [];
  let look = PLAIN;
  let from = 0;
  for (const { 0: whole, 1: codes = '', index } of text.matchAll(SGR)) {
    if (index > from) spans.push({ text: text.slice(from, index), ...look });
    look = lookAfter(look, codes.split(/[;:]/).map(Number));
    from = index + whole.length;
  }
  if (from < text.length) spans.push({ text: text.slice(from), ...look });
  return spans;
}

function lookAfter(before: Look, codes: readonly number[]): Look {
  let look = before;
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0;
    if (code === 38 || code === 48) {
      const { color, used } = extended(codes.slice(at + 1));
      if (code === 38) look = { ...look, color };
      at += used;
    } else look = { ...look, ...changeOf(code) };
  }
  return look;
}

function changeOf(code: number): Partial<Look> {
  if (code >= 30 && code <= 37) return { color: COLORS[code - 30] ?? null };
  if (code >= 90 && code <= 97) return { color: COLORS[code - 90] ?? null };
  switch (code) {
    case 0:
      return PLAIN;
    case 1:
      return { isBold: true };
    case 2:
      return { isDim: true };
    case 3:
      return { isItalic: true };
    case 4:
      return { isUnderlined: true };
    case 7:
      return { isInverse: true };
    case 22:
      return { isBold: false, isDim: false };
    case 23:
      return { isItalic: false };
    case 24:
      return { isUnderlined: false };
    case 27:
      return { isInverse: false };
    case 39:
      return { color: null };
    default:
      return {};
  }
}

/** `5;n` or `2;r;g;b` behind 38: the nearest of the eight colours, which are readable on every ground. */
function extended(codes: readonly number[]): { readonly color: AnsiColor | null; readonly used: number } {
  const [how, first = 0, second = 0, third = 0] = codes;
  if (how === 5) return { color: ofPalette(first), used: 2 };
  return how === 2 ? { color: nearest(first, second, third), used: 4 } : { color: null, used: codes.length };
}

function ofPalette(n: number): AnsiColor | null {
  if (n < 16) return COLORS[n % 8] ?? null;
  if (n > 231) return null;
  const cube = n - 16;
  return nearest(Math.floor(cube / 36) * 51, (Math.floor(cube / 6) % 6) * 51, (cube % 6) * 51);
}

function nearest(red: number, green: number, blue: number): AnsiColor | null {
  const middle = (Math.max(red, green, blue) + Math.min(red, green, blue)) / 2;
  if (Math.max(red, green, blue) - Math.min(red, green, blue) < 32) return null;
  const bits = (red > middle ? 1 : 0) + (green > middle ? 2 : 0) + (blue > middle ? 4 : 0);
  return COLORS[bits] ?? null;
}
