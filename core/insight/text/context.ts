// browser-safe
// A place with the words around it, on one line.
import type { Span } from '../../util/textPattern.ts';

const BEFORE = 40;
const AROUND = 120;

/** About 120 characters around a range; `start` and `length` mark it within. Never cut within a character. */
export function contextOf(text: string, { from, to }: Span): { context: string; start: number; length: number } {
  const begin = border(text, Math.max(0, from - BEFORE));
  const end = border(text, Math.min(text.length, Math.max(begin + AROUND, to)));
  return { context: text.slice(begin, end).replace(/\s/gu, ' '), start: from - begin, length: to - from };
}

// Half a pair more at the beginning, half a pair less at the end.
function border(text: string, at: number): number {
  return isInside(text, at) ? at - 1 : at;
}

function isInside(text: string, at: number): boolean {
  const [before, here] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  return before >= 0xd800 && before <= 0xdbff && here >= 0xdc00 && here <= 0xdfff;
}
