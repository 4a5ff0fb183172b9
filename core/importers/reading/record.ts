// From bytes to records: decode, parse, and where a line is broken say exactly where, saving what can be saved.

import type { Filler, SourceRecord } from '../../model/importSink.ts';
import type { Problem, ProblemPlace } from '../../model/problem.ts';
import { countOf, grouped } from '../../util/counts.ts';
import { JsonSyntaxError, MAX_NESTING, skipSpace, skipValue, tooDeepAt } from '../../util/json/index.ts';
import { byteOffsetOf, type DecodedText, decodeUtf8, hexBytes } from './byteText.ts';
import type { RawLine } from './lineSplitter.ts';

/** The records found in one line, and what was wrong with it. */
export interface LineReading {
  readonly records: readonly SourceRecord[];
  /** Stretches that gave no record; `problems` says why. A line too long to be held has none to give. */
  readonly broken: readonly SourceRecord[];
  /** White space and NUL bytes around the records, or all of a blank line. */
  readonly fillers: readonly Filler[];
  readonly problems: readonly Problem[];
  readonly blank: boolean;
}

const NOTHING: LineReading = { records: [], broken: [], fillers: [], problems: [], blank: false };

/**
 * `value` if the text is JSON, else `error` with the column (UTF-16 units, from 1) where it stops being JSON. One that
 * nests deeper than MAX_NESTING is refused like one that is none: readers walk values by recursion.
 */
export function parseJson(text: string): Pick<SourceRecord, 'value' | 'error'> {
  try {
    const value: unknown = JSON.parse(text);
    const deep = tooDeepAt(text);
    return deep < 0 ? { value } : { value: undefined, error: { message: TOO_DEEP, column: deep + 1 } };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { value: undefined, error: { message: error.message, column: syntaxOffset(text) + 1 } };
  }
}

/** What is said of a value that nests deeper than is read. */
export const TOO_DEEP = `it nests deeper than ${MAX_NESTING} levels`;

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
  if (raw.tooLong) return { ...NOTHING, broken: [tooLong(raw)], problems: [tooLongProblem(raw, where)] };
  const blank = {
    ...NOTHING,
    blank: true,
    fillers: raw.bytes.length === 0 ? [] : [fillerOf(raw, 0, raw.bytes.length)],
  };
  if (isBlank(raw.bytes)) return blank;
  const decoded = decodeUtf8(raw.bytes);
  const problems = utf8Problems(decoded, raw.bytes, where);
  if (BLANK.test(decoded.text)) return { ...blank, problems: [...problems, nulProblem(where)] };
  const parsed = parseJson(decoded.text);
  if (parsed.error) {
    const salvaged = salvage(decoded, raw);
    return { ...salvaged, problems: [...problems, ...salvaged.problems], blank: false };
  }
  const unterminated = raw.unterminated ? { unterminated: true } : {};
  const record = { ...stretch(decoded, raw, 0, decoded.text.length), value: parsed.value, ...unterminated };
  return { ...NOTHING, records: [record], problems };
}

/** A piece of a line as a record, its value left open; with its exact bytes where the text is not them. */
function stretch(decoded: DecodedText, raw: RawLine, from: number, to: number): SourceRecord {
  const [start, end] = bytesOf(decoded, raw, from, to);
  return {
    text: decoded.text.slice(from, to),
    value: undefined,
    line: raw.line,
    byteStart: raw.byteStart + start,
    byteEnd: raw.byteStart + end,
    path: [],
    ...(decoded.badAt === null ? {} : { bytes: raw.bytes.slice(start, end) }),
  };
}

function bytesOf({ text }: DecodedText, { bytes }: RawLine, from: number, to: number): [number, number] {
  const end = to === text.length ? bytes.length : byteOffsetOf(bytes, to);
  return [from === 0 ? 0 : byteOffsetOf(bytes, from), end];
}

function fillerOf(raw: RawLine, start: number, end: number): Filler {
  return { byteStart: raw.byteStart + start, bytes: raw.bytes.subarray(start, end) };
}

function tooLong({ line, byteStart, byteEnd }: RawLine): SourceRecord {
  const error = { message: 'the line is too long to be held', column: 1 };
  return { text: '', value: undefined, error, line, byteStart, byteEnd, path: [] };
}

function tooLongProblem(raw: RawLine, where: ProblemPlace): Problem {
  const text = `Line ${raw.line} has ${countOf(raw.byteEnd - raw.byteStart, 'byte')}, more than can be read as one record; it was left out.`;
  return { code: 'import.line_too_long', severity: 'error', text, where };
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
  const text = `Line ${where.line} is nothing but NUL bytes (a write cut short by a crash leaves such lines); it was skipped.`;
  return { code: 'import.nul_bytes', severity: 'warning', text, where };
}

// Takes values off the front of a broken line as long as there are whole ones; NUL bytes around them are passed over.
function salvage(decoded: DecodedText, raw: RawLine): Omit<LineReading, 'blank'> {
  const { text } = decoded;
  const records: SourceRecord[] = [];
  const broken: SourceRecord[] = [];
  const fillers: Filler[] = [];
  const problems: Problem[] = [];
  let end = 0;
  for (;;) {
    const at = skipNul(text, end);
    if (at > end) fillers.push(fillerOf(raw, ...bytesOf(decoded, raw, end, at)));
    if (at >= text.length) break;
    const next = wholeValueEnd(text, at);
    const parsed = next === null ? null : parseJson(text.slice(at, next));
    // Glued records are objects; a lone number or word before garbage is garbage itself.
    if (next === null || !parsed || parsed.error || text[at] !== '{') {
      const rest = stretch(decoded, raw, at, text.length);
      const problem = brokenProblem(text, at, raw, rest.byteStart);
      problems.push(problem);
      broken.push({ ...rest, error: { message: problem.text, column: problem.where?.column ?? 1 } });
      break;
    }
    records.push({ ...stretch(decoded, raw, at, next), value: parsed.value });
    end = next;
  }
  if (records.length > 1 || (records.length === 1 && broken.length === 0)) {
    problems.unshift(gluedProblem(records.length, raw));
  }
  return { records, broken, fillers, problems };
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
      ? `Line ${raw.line} holds ${grouped(count)} records without a line end between them; each was read.`
      : `Line ${raw.line} has NUL bytes around its record; the record was read.`;
  return { code: 'import.glued_records', severity: 'warning', text, where: placeOf(raw) };
}

function placeOf(raw: RawLine): ProblemPlace {
  return { line: raw.line, byteStart: raw.byteStart, byteEnd: raw.byteEnd };
}

function brokenProblem(text: string, at: number, raw: RawLine, byteStart: number): Problem {
  const deep = tooDeepAt(text.slice(at));
  if (deep >= 0) {
    const where = { ...placeOf(raw), column: at + deep + 1, byteStart };
    const said = `Line ${raw.line} nests deeper than ${MAX_NESTING} levels and was skipped.`;
    return { code: 'import.too_deep', severity: 'error', text: said, where };
  }
  const offset = at + syntaxOffset(text.slice(at));
  const where = { ...placeOf(raw), column: offset + 1, byteStart };
  if (raw.unterminated && offset >= text.length) {
    const said = `The last line (${raw.line}) ends in the middle of a record: the file was cut off or is still being written. All before it was read.`;
    return { code: 'import.truncated', severity: 'warning', text: said, where };
  }
  const found = offset < text.length ? JSON.stringify(text.slice(offset, offset + 24)) : 'the end of the line';
  const said = `Line ${raw.line} is not valid JSON and was skipped: column ${offset + 1} has ${found}.`;
  return { code: 'import.broken_line', severity: 'error', text: said, where };
}
