// From bytes to records: decode, parse, and where a line is broken say exactly where, saving what can be saved.

import type { Problem, ProblemPlace } from '../model/problem.ts';
import { utf8Length } from '../util/chars.ts';
import { JsonSyntaxError, skipSpace, skipValue } from '../util/json/index.ts';
import { type DecodedText, decodeUtf8, hexBytes } from './byteText.ts';
import type { RawLine } from './lineSplitter.ts';
import type { SourceRecord } from './types.ts';

/** The records found in one line, and what was wrong with it. `broken` counts stretches that gave no record. */
export interface LineReading {
  readonly records: readonly SourceRecord[];
  readonly problems: readonly Problem[];
  readonly broken: number;
  readonly blank: boolean;
}

/** `value` if the text is JSON, else `error` with the column (UTF-16 units, from 1) where it stops being JSON. */
export function parseJson(text: string): Pick<SourceRecord, 'value' | 'error'> {
  try {
    const value: unknown = JSON.parse(text);
    return { value };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { value: undefined, error: { message: error.message, column: syntaxOffset(text) + 1 } };
  }
}

function syntaxOffset(text: string): number {
  try {
    const end = skipSpace(text, skipValue(text, 0));
    return end;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error.offset;
    throw error;
  }
}

const BLANK = /^[\s\0]*$/;

/** Reads one line into its record; two values glued together (`}{`) give two, a broken stretch a problem. */
export function readLine(raw: RawLine): LineReading {
  const where: ProblemPlace = { line: raw.line, byteStart: raw.byteStart, byteEnd: raw.byteEnd };
  if (raw.tooLong) {
    const text = `Line ${raw.line} has ${raw.byteEnd - raw.byteStart} bytes, more than can be read as one record; it was left out.`;
    return {
      records: [],
      problems: [{ code: 'import.line_too_long', severity: 'error', text, where }],
      broken: 1,
      blank: false,
    };
  }
  if (isBlank(raw.bytes)) return { records: [], problems: [], broken: 0, blank: true };
  const decoded = decodeUtf8(raw.bytes);
  const problems = utf8Problems(decoded, raw.bytes, where);
  if (BLANK.test(decoded.text)) {
    return { records: [], problems: [...problems, nulProblem(where)], broken: 0, blank: true };
  }
  const text = decoded.text;
  const place = { line: raw.line, byteStart: raw.byteStart, byteEnd: raw.byteEnd, path: [] };
  const unterminated = raw.unterminated ? { unterminated: true } : {};
  const parsed = parseJson(text);
  if (!parsed.error) {
    return { records: [{ text, value: parsed.value, ...place, ...unterminated }], problems, broken: 0, blank: false };
  }
  const salvaged = salvage(text, raw);
  return { ...salvaged, problems: [...problems, ...salvaged.problems], blank: false };
}

function isBlank(bytes: Uint8Array): boolean {
  for (const byte of bytes) {
    if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) return false;
  }
  return true;
}

function utf8Problems(decoded: DecodedText, bytes: Uint8Array, where: ProblemPlace): Problem[] {
  if (decoded.badAt === null) return [];
  const at = (where.byteStart ?? 0) + decoded.badAt;
  const text = `Invalid UTF-8 at byte ${at} (${hexBytes(bytes, decoded.badAt, 8)}); the bytes read as U+FFFD in the imported text.`;
  return [{ code: 'import.invalid_utf8', severity: 'warning', text, where }];
}

function nulProblem(where: ProblemPlace): Problem {
  const text = `Line ${where.line} is nothing but NUL bytes (a write cut short by a crash leaves such lines); it was passed over.`;
  return { code: 'import.nul_bytes', severity: 'warning', text, where };
}

// Takes values off the front of a broken line as long as there are whole ones; NUL bytes around them are passed over.
function salvage(text: string, raw: RawLine): Omit<LineReading, 'blank'> {
  const records: SourceRecord[] = [];
  const problems: Problem[] = [];
  let at = skipNul(text, 0);
  let broken = 0;
  while (at < text.length) {
    const end = wholeValueEnd(text, at);
    const parsed = end === null ? null : parseJson(text.slice(at, end));
    // Glued records are objects; a lone number or word before garbage is garbage itself.
    if (end === null || !parsed || parsed.error || text[at] !== '{') {
      problems.push(brokenProblem(text, at, raw));
      broken = 1;
      break;
    }
    records.push({
      text: text.slice(at, end),
      value: parsed.value,
      line: raw.line,
      byteStart: raw.byteStart + utf8Length(text.slice(0, at)),
      byteEnd: raw.byteStart + utf8Length(text.slice(0, end)),
      path: [],
    });
    at = skipNul(text, end);
  }
  if (records.length > 1 || (records.length === 1 && broken === 0)) problems.unshift(gluedProblem(records.length, raw));
  return { records, problems, broken };
}

function skipNul(text: string, from: number): number {
  let i = from;
  while (i < text.length && (text.charCodeAt(i) === 0 || /\s/.test(text.charAt(i)))) i++;
  return i;
}

function wholeValueEnd(text: string, at: number): number | null {
  try {
    return skipValue(text, at);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return null;
    throw error;
  }
}

function gluedProblem(count: number, raw: RawLine): Problem {
  const text =
    count > 1
      ? `Line ${raw.line} holds ${count} records without a line end between them; each was read.`
      : `Line ${raw.line} has NUL bytes around its record; the record was read.`;
  return { code: 'import.glued_records', severity: 'warning', text, where: placeOf(raw) };
}

function placeOf(raw: RawLine): ProblemPlace {
  return { line: raw.line, byteStart: raw.byteStart, byteEnd: raw.byteEnd };
}

function brokenProblem(text: string, at: number, raw: RawLine): Problem {
  const offset = at + syntaxOffset(text.slice(at));
  const where = { ...placeOf(raw), column: offset + 1, byteStart: raw.byteStart + utf8Length(text.slice(0, at)) };
  if (raw.unterminated && offset >= text.length) {
    const said = `The last line (${raw.line}) ends in the middle of a record: the file was cut off or is still being written. All before it was read.`;
    return { code: 'import.truncated', severity: 'warning', text: said, where };
  }
  const found = offset < text.length ? JSON.stringify(text.slice(offset, offset + 24)) : 'the end of the line';
  const said = `Line ${raw.line} is no valid JSON: column ${offset + 1} has ${found}. The line was left out, the rest was read.`;
  return { code: 'import.broken_line', severity: 'error', text: said, where };
}
