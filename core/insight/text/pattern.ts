// browser-safe
// A text as it is looked for: runs of white space match each other, letter case and word ends only if asked for. Compiled
// to one regular expression in Unicode mode: it folds case character by character, so that offsets hold, and never matches
// half a character.
import type { TextSwitches } from './types.ts';

/** A range in a string. Unit: UTF-16 units, end exclusive. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A text ready to be looked for. */
export interface TextPattern {
  /** Without white space around it. */
  readonly text: string;
  /** The places in a string, in order, none overlapping; `most` = how many at most. */
  find(within: string, most?: number): readonly Span[];
  /** False if the JSON text of a message cannot hold it: a quick look before it is parsed. */
  mayStandIn(json: string): boolean;
}

/** Compiles a text; null if there is nothing but white space. */
export function textPattern(given: string, switches: TextSwitches = {}): TextPattern | null {
  const text = given.trim();
  if (text === '') return null;
  const flags = switches.matchCase === true ? 'gu' : 'giu';
  const words = text.split(/\s+/u);
  const body = words.map(escaped).join('\\s+');
  const find = new RegExp(switches.wholeWord === true ? bounded(text, body) : body, flags);
  const piece = plainPiece(words);
  const look = piece === null ? null : new RegExp(piece, flags.slice(1));
  return {
    text,
    find: (within, most = Number.POSITIVE_INFINITY) => spansOf(find, within, most),
    mayStandIn: (json) => look === null || look.test(json) || json.includes('\\u'),
  };
}

function spansOf(pattern: RegExp, within: string, most: number): readonly Span[] {
  const spans: Span[] = [];
  pattern.lastIndex = 0;
  while (spans.length < most) {
    const match = pattern.exec(within);
    if (match === null) break;
    spans.push({ from: match.index, to: match.index + match[0].length });
  }
  return spans;
}

function escaped(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

const WORD = '[\\p{L}\\p{M}\\p{N}_]';
const BEGINS_WITH_WORD = new RegExp(`^${WORD}`, 'u');
const ENDS_WITH_WORD = new RegExp(`${WORD}$`, 'u');

// An end that is no letter needs no border: `--flag` is whole in `x--flag`.
function bounded(text: string, body: string): string {
  const before = BEGINS_WITH_WORD.test(text) ? `(?<!${WORD})` : '';
  const after = ENDS_WITH_WORD.test(text) ? `(?!${WORD})` : '';
  return `${before}${body}${after}`;
}

// The longest run of characters that JSON writes as they are (or as \\u…), however often it was encoded.
function plainPiece(words: readonly string[]): string | null {
  const runs = words.flatMap((word) => word.match(/[^"\\/\p{Cc}]+/gu) ?? []);
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), '');
  return longest === '' ? null : escaped(longest);
}
