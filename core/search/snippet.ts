// browser-safe
import type { Mark } from './marks.ts';
import { mergeMarks } from './marks.ts';

/** A stretch of a text with what was found in it, on one line. Marks are [start, end) within `text`. */
export interface Snippet {
  readonly text: string;
  readonly marks: readonly { readonly start: number; readonly end: number }[];
  /** Text was left out before, after. */
  readonly cutBefore: boolean;
  readonly cutAfter: boolean;
}

const SNIPPET_CHARS = 200;
const BEFORE_CHARS = 50;

/** About 200 characters where most of the query stands together. Without marks the text's beginning. */
export function snippetOf(text: string, marks: readonly Mark[]): Snippet {
  const first = bestStart(marks);
  const start = first === null ? 0 : startOf(text, first.start);
  const least = Math.max(start + SNIPPET_CHARS, first?.end ?? 0);
  // A mark at the end is shown whole, unless it is endless.
  const across = marks.find((mark) => mark.start < least && mark.end > least)?.end ?? least;
  const end = endOf(text, Math.min(Math.max(least, across), start + 2 * SNIPPET_CHARS));
  const within = marks.filter((mark) => mark.start >= start && mark.start < end);
  return {
    // One unit for one: marks stay where they are.
    text: text.slice(start, end).replace(/\s/g, ' '),
    marks: mergeMarks(within).map((mark) => ({ start: mark.start - start, end: Math.min(mark.end, end) - start })),
    cutBefore: start > 0,
    cutAfter: end < text.length,
  };
}

/** The mark with the most different terms behind it in reach; the first of several. */
function bestStart(marks: readonly Mark[]): Mark | null {
  let best: Mark | null = null;
  let most = 0;
  // Looking at the first thousand is enough for a snippet.
  const near = marks.slice(0, 1000);
  for (const [at, mark] of near.entries()) {
    const terms = new Set<number>();
    for (let i = at; i < near.length && near[i]!.end - mark.start <= SNIPPET_CHARS - BEFORE_CHARS; i++) {
      terms.add(near[i]!.term);
    }
    if (terms.size > most || best === null) {
      best = mark;
      most = terms.size;
    }
  }
  return best;
}

function startOf(text: string, mark: number): number {
  const wished = Math.max(0, mark - BEFORE_CHARS);
  if (wished === 0) return 0;
  // Begin with a whole word if one begins soon.
  const space = text.slice(wished, mark).search(/\s\S/);
  return space >= 0 && space < BEFORE_CHARS / 2 ? wished + space + 1 : outsidePair(text, wished);
}

function endOf(text: string, end: number): number {
  return end >= text.length ? text.length : outsidePair(text, end);
}

function outsidePair(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? at + 1 : at;
}
