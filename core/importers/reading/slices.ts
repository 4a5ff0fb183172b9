// Where values are in a JSON text that is known to be valid (JSON.parse has read it). Unlike core/util/json this
// checks nothing, so that strings, which are most of a transcript, are passed at the speed of indexOf.

import type { JsonPath } from '../../model/message.ts';
import { assert } from '../../util/assert.ts';
import { parseString, skipSpace } from '../../util/json/index.ts';

/** A stretch of a text in UTF-16 units, end exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

function stringEndFast(text: string, start: number): number {
  let i = start;
  for (;;) {
    i = text.indexOf('"', i + 1);
    if (i < 0) throw new Error('slices: the text is not valid JSON');
    let escapes = 0;
    while (text.charCodeAt(i - 1 - escapes) === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return i + 1;
  }
}

const STRUCTURE = /["[\]{}]/g;
const SCALAR_END = /[\s,\]}]|$/g;

/** The offset after the value that begins at `start`. */
function valueEnd(text: string, start: number): number {
  const c = text.charCodeAt(start);
  if (c === QUOTE) return stringEndFast(text, start);
  if (c !== 0x7b && c !== 0x5b) {
    SCALAR_END.lastIndex = start;
    return SCALAR_END.exec(text)?.index ?? text.length;
  }
  let depth = 0;
  let i = start;
  for (;;) {
    STRUCTURE.lastIndex = i;
    const found = STRUCTURE.exec(text);
    if (!found) throw new Error('slices: the text is not valid JSON');
    const mark = found[0];
    if (mark === '"') {
      i = stringEndFast(text, found.index);
      continue;
    }
    i = found.index + 1;
    if (mark === '{' || mark === '[') depth++;
    else if (--depth === 0) return i;
  }
}

/** Calls `visit` for each member of the object whose brace is at `start`: key, and the place of its value. */
export function eachMember(text: string, start: number, visit: (key: string, value: Span) => void): void {
  let i = skipSpace(text, start + 1);
  while (text.charCodeAt(i) === QUOTE) {
    const keyEnd = stringEndFast(text, i);
    const from = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const to = valueEnd(text, from);
    visit(parseString(text, i, keyEnd), { start: from, end: to });
    i = skipSpace(text, to);
    if (text.charCodeAt(i) === 0x2c) i = skipSpace(text, i + 1);
  }
}

/** The elements of the array whose bracket is at `start`. */
export function elementSpans(text: string, start: number): Span[] {
  assert(text.charCodeAt(start) === 0x5b, 'elementSpans is for arrays');
  const spans: Span[] = [];
  let i = skipSpace(text, start + 1);
  while (text.charCodeAt(i) !== 0x5d) {
    assert(i < text.length, 'elementSpans is for whole JSON values');
    const end = valueEnd(text, i);
    spans.push({ start: i, end });
    i = skipSpace(text, end);
    if (text.charCodeAt(i) === 0x2c) i = skipSpace(text, i + 1);
  }
  return spans;
}

/** Where the value at `path` stands (of a key given twice the last one, as JSON.parse reads it), or null. */
export function spanAt(text: string, path: JsonPath, from = 0): Span | null {
  const start = skipSpace(text, from);
  let span: Span | null = { start, end: -1 };
  for (const step of path) {
    const at: Span = span;
    const c = text.charCodeAt(at.start);
    let next: Span | null = null;
    if (typeof step === 'number') {
      next = c === 0x5b ? (elementSpans(text, at.start)[step] ?? null) : null;
    } else if (c === 0x7b) {
      eachMember(text, at.start, (key, value) => {
        if (key === step) next = value;
      });
    }
    if (next === null) return null;
    span = next;
  }
  return span.end < 0 ? { start, end: valueEnd(text, start) } : span;
}

/** The exact text of the value at `path`, or null. */
export function sliceAt(text: string, path: JsonPath, from = 0): string | null {
  const span = spanAt(text, path, from);
  return span && text.slice(span.start, span.end);
}
