// Reading and editing a JSON text in place: what is not touched keeps every byte, its white space,
// number spelling and key order included. Offsets are in UTF-16 units, `end` exclusive; texts must be valid JSON.
// Functions that take an offset of a container want the offset of its bracket.

import { jsonString, parseString } from './scalars.ts';
import { JsonSyntaxError, skipSpace, skipValue, stringEnd } from './walk.ts';

/** The way to a value: keys of objects, positions in arrays. */
export type JsonPath = readonly (string | number)[];

/** A stretch of the text. */
export interface JsonSpan {
  readonly start: number;
  readonly end: number;
}

/** One member of an object; `key` is unescaped, `keyStart` the place of its opening quote. */
export interface JsonMember {
  readonly key: string;
  readonly keyStart: number;
  readonly valueStart: number;
  readonly valueEnd: number;
}

/** All members of the object that begins at `start`, in the order of the text, duplicates included. Throws JsonSyntaxError if there is none. */
export function members(text: string, start: number): JsonMember[] {
  const found: JsonMember[] = [];
  eachMember(text, start, (keyStart, keyEnd, valueStart, valueEnd) => {
    found.push({ key: parseString(text, keyStart, keyEnd), keyStart, valueStart, valueEnd });
  });
  return found;
}

type VisitMember = (keyStart: number, keyEnd: number, valueStart: number, valueEnd: number) => void;

function eachMember(text: string, start: number, visit: VisitMember): void {
  let i = openContainer(text, start, '{');
  while (text[i] !== '}') {
    const keyStart = i;
    if (text[keyStart] !== '"') throw new JsonSyntaxError('a key in double quotes', text, keyStart);
    const keyEnd = stringEnd(text, keyStart);
    const colon = skipSpace(text, keyEnd);
    if (text[colon] !== ':') throw new JsonSyntaxError('":"', text, colon);
    const valueStart = skipSpace(text, colon + 1);
    const valueEnd = skipValue(text, valueStart, true);
    visit(keyStart, keyEnd, valueStart, valueEnd);
    i = nextChild(text, valueEnd, '}');
  }
}

/** All elements of the array that begins at `start`. Throws JsonSyntaxError if there is none. */
export function elements(text: string, start: number): JsonSpan[] {
  const found: JsonSpan[] = [];
  let i = openContainer(text, start, '[');
  while (text[i] !== ']') {
    const end = skipValue(text, i, true);
    found.push({ start: i, end });
    i = nextChild(text, end, ']');
  }
  return found;
}

function openContainer(text: string, start: number, bracket: '{' | '['): number {
  if (text[start] !== bracket) throw new JsonSyntaxError(`"${bracket}"`, text, start);
  return skipSpace(text, start + 1);
}

function nextChild(text: string, end: number, closer: '}' | ']'): number {
  const next = skipSpace(text, end);
  if (text[next] === closer) return next;
  if (text[next] !== ',') throw new JsonSyntaxError(`"," or "${closer}"`, text, next);
  const child = skipSpace(text, next + 1);
  if (text[child] === closer) throw new JsonSyntaxError('a value', text, child);
  return child;
}

/** The last member of that key, which is the one that counts, or null. */
export function memberAt(text: string, start: number, key: string): JsonMember | null {
  let found: JsonMember | null = null;
  eachMember(text, start, (keyStart, keyEnd, valueStart, valueEnd) => {
    if (isKey(text, keyStart, keyEnd, key)) found = { key, keyStart, valueStart, valueEnd };
  });
  return found;
}

// Hardly a key is written with escapes: the others are compared where they stand. An escape is longer than what it means.
function isKey(text: string, start: number, end: number, key: string): boolean {
  const length = end - start - 2;
  if (length < key.length) return false;
  if (length === key.length && text.startsWith(key, start + 1)) return !key.includes('\\');
  return length > key.length && text.slice(start, end).includes('\\') && parseString(text, start, end) === key;
}

/** The members of the object at `path`, or null if there is no object. One reading of what stands on the way. */
export function membersAt(text: string, path: JsonPath): readonly JsonMember[] | null {
  const start = startOf(text, path);
  return start !== null && text[start] === '{' ? members(text, start) : null;
}

/** Where the value at `path` stands, or null if the path leads nowhere (no such key or position, or no container). */
export function locate(text: string, path: JsonPath): JsonSpan | null {
  const last = path.at(-1);
  if (typeof last === 'string') return locateMember(text, path.slice(0, -1), last);
  const start = startOf(text, path);
  return start === null ? null : { start, end: skipValue(text, start, true) };
}

// Where a member ends is known once all members were looked at: its value is not read again.
function locateMember(text: string, path: JsonPath, key: string): JsonSpan | null {
  const start = startOf(text, path);
  const member = start !== null && text[start] === '{' ? memberAt(text, start, key) : null;
  return member === null ? null : { start: member.valueStart, end: member.valueEnd };
}

function startOf(text: string, path: JsonPath): number | null {
  let start = skipSpace(text, 0);
  for (const step of path) {
    const next = childStart(text, start, step);
    if (next === null) return null;
    start = next;
  }
  return start;
}

function childStart(text: string, start: number, step: string | number): number | null {
  if (typeof step === 'string') return text[start] === '{' ? (memberAt(text, start, step)?.valueStart ?? null) : null;
  return text[start] === '[' ? elementStart(text, start, step) : null;
}

function elementStart(text: string, start: number, position: number): number | null {
  if (!(position >= 0)) return null;
  let i = openContainer(text, start, '[');
  for (let at = 0; text[i] !== ']'; at++) {
    if (at === position) return i;
    i = nextChild(text, skipValue(text, i, true), ']');
  }
  return null;
}

/** The text of the value at `path`, or null. */
export function valueTextAt(text: string, path: JsonPath): string | null {
  const span = locate(text, path);
  return span === null ? null : text.slice(span.start, span.end);
}

/** The string at `path`, unescaped, or null if there is none. */
export function stringAtPath(text: string, path: JsonPath): string | null {
  const span = locate(text, path);
  return span !== null && text[span.start] === '"' ? parseString(text, span.start, span.end) : null;
}

/** The text with the value at `path` replaced. Throws RangeError if the path leads nowhere. */
export function replaceAt(text: string, path: JsonPath, newJson: string): string {
  const { start, end } = mustLocate(text, path);
  return text.slice(0, start) + newJson + text.slice(end);
}

/** The text with the member `key` of the object at `path` replaced, or appended as its last. Throws RangeError if there is no object. */
export function setMember(text: string, path: JsonPath, key: string, newJson: string): string {
  const { start } = mustLocate(text, path, '{');
  const all = members(text, start);
  const present = all.findLast((member) => member.key === key);
  if (present !== undefined) return joined(text.slice(0, present.valueStart), newJson, text.slice(present.valueEnd));
  const at = all.at(-1)?.valueEnd ?? start + 1;
  const separator = all.length > 0 ? ',' : '';
  return joined(text.slice(0, at), `${separator}${jsonString(key)}:`, newJson, text.slice(at));
}

// One string, not a tree of the pieces it was made of: edited messages are kept by the ten thousand.
function joined(...pieces: readonly string[]): string {
  return pieces.join('');
}

/** The text without the member `key` (all of that key) of the object at `path`. Throws RangeError if there is no object. */
export function removeMember(text: string, path: JsonPath, key: string): string {
  const { start } = mustLocate(text, path, '{');
  const all = members(text, start);
  const spans = all.map((member) => ({ start: member.keyStart, end: member.valueEnd }));
  return keepSpans(text, spans, (index) => all[index]?.key !== key);
}

/** The text without the elements at `indices` of the array at `path`; positions beyond its end are ignored. Throws RangeError if there is no array. */
export function removeElements(text: string, path: JsonPath, indices: ReadonlySet<number>): string {
  const { start } = mustLocate(text, path, '[');
  return keepSpans(text, elements(text, start), (index) => !indices.has(index));
}

/** The text with elements put before position `index` of the array at `path` (its length: at the end). Throws RangeError if there is no such place. */
export function insertElements(text: string, path: JsonPath, index: number, newJson: readonly string[]): string {
  const { start } = mustLocate(text, path, '[');
  const all = elements(text, start);
  if (!Number.isInteger(index) || index < 0 || index > all.length)
    throw new RangeError(`no place ${index} in the array`);
  if (newJson.length === 0) return text;
  const joined = newJson.join(',');
  const next = all[index];
  if (next !== undefined) return `${text.slice(0, next.start)}${joined},${text.slice(next.start)}`;
  const at = all.at(-1)?.end ?? start + 1;
  return `${text.slice(0, at)}${all.length > 0 ? ',' : ''}${joined}${text.slice(at)}`;
}

// A kept child brings the separator before it, unless it has become the first.
function keepSpans(text: string, spans: readonly JsonSpan[], keep: (index: number) => boolean): string {
  const first = spans[0];
  const last = spans.at(-1);
  if (first === undefined || last === undefined) return text;
  const out: string[] = [text.slice(0, first.start)];
  let kept = 0;
  for (const [index, span] of spans.entries()) {
    if (!keep(index)) continue;
    const from = kept === 0 ? span.start : spans[index - 1]!.end;
    out.push(text.slice(from, span.end));
    kept++;
  }
  out.push(text.slice(last.end));
  return out.join('');
}

function mustLocate(text: string, path: JsonPath, bracket?: '{' | '['): JsonSpan {
  const span = locate(text, path);
  if (span === null) throw new RangeError(`no value at ${JSON.stringify(path)}`);
  if (bracket !== undefined && text[span.start] !== bracket) {
    throw new RangeError(`no ${bracket === '{' ? 'object' : 'array'} at ${JSON.stringify(path)}`);
  }
  return span;
}
