// A broken line as one line of text: the place of the fault in sight, whatever the line's length.
import { JsonSyntaxError, skipSpace, skipValue } from '../../core/util/json/index.ts';

const BEFORE = 48;
const AFTER = 200;

/** What stands before the fault, at it (one character; empty at the end of the line) and after it. */
export interface Excerpt {
  readonly before: string;
  readonly at: string;
  readonly after: string;
}

/**
 * The stretch of a record around its fault (an offset, as `faultOf` finds it); without one, its beginning. `…` stands
 * where it was cut, characters that take no room or turn the text around are shown by a picture.
 */
export function excerptOf(text: string, fault: number | null, truncated: boolean): Excerpt {
  if (fault === null) return { before: '', at: '', after: shown(text, 0, BEFORE + AFTER, truncated) };
  const from = fault <= BEFORE + 1 ? 0 : fault - BEFORE;
  const wide = widthAt(text, fault);
  return {
    before: `${from > 0 ? '…' : ''}${visible(text.slice(from, fault))}`,
    at: visible(text.slice(fault, fault + wide)),
    after: shown(text, fault + wide, AFTER, truncated),
  };
}

/** Where a record stops being JSON, in UTF-16 units from its own beginning; null if it is not. */
export function faultOf(text: string): number | null {
  try {
    const end = skipSpace(text, skipValue(text, 0));
    return end < text.length ? end : null;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error.offset;
    throw error;
  }
}

/** How many characters of the record have to be read; a column counts from the line's beginning, at or before the record's. */
export function excerptLimit(column: number | undefined): number {
  return (column ?? BEFORE) + AFTER + 2;
}

function shown(text: string, from: number, length: number, truncated: boolean): string {
  const cut = text.length > from + length || truncated;
  return `${visible(text.slice(from, from + length))}${cut ? '…' : ''}`;
}

function widthAt(text: string, place: number): number {
  const point = text.codePointAt(place);
  if (point === undefined) return 0;
  return point > 0xffff ? 2 : 1;
}

/** Control characters take no room on screen, and some turn the text around: their pictures do neither. */
function visible(text: string): string {
  return text.replace(/\p{Cc}|\p{Bidi_Control}/gu, (char) => {
    const code = char.charCodeAt(0);
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : '␣';
  });
}
