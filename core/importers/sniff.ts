// What a file is, by its first bytes and never by its name: tools store five formats under one file name.

import { isRecord } from '../util/unknown.ts';
import { decodeUtf8, hexBytes } from './reading/byteText.ts';
import { nullsFor } from './reading/pythonJson.ts';
import { parseJson } from './reading/record.ts';
import type { Sniff } from './types.ts';
import { memberNames } from './zip/headers.ts';

/** Bytes wanted before sniffing. */
export const HEAD_BYTES = 64 * 1024;
/** If the first line is longer, this many are gathered at most to be looked at. */
export const MAX_HEAD_BYTES = 16 * 1024 * 1024;
/** The longest wait for the end of a first line: what follows it shows whether the file is lines. A longer one is a document. */
export const MAX_FIRST_LINE_BYTES = 128 * 1024 * 1024;

const MAX_LINES = 50;

/** Looks at the start of a file; `whole` = there is no more. */
export function sniff(bytes: Uint8Array, whole: boolean): Sniff {
  const members = memberNames(bytes);
  if (members.length > 0) {
    return { head: '', whole, shape: 'zip', values: members, looksLike: describeArchive(members) };
  }
  const binary = binaryKind(bytes);
  if (binary) return { head: '', whole, shape: 'other', values: [], looksLike: binary };
  const head = decodeHead(bytes, whole);
  const first = head.trimStart().charAt(0);
  if (first === '') return { head, whole, shape: 'other', values: [], looksLike: 'an empty file' };
  const lines = wholeLines(head, whole);
  if (looksLikeLines(lines, first, hasMoreLines(head))) {
    const values = lines.map(parseJson).flatMap((parsed) => (parsed.error ? [] : [parsed.value]));
    return { head, whole, shape: 'jsonl', values, looksLike: describeLines(values) };
  }
  if (first === '{' || first === '[') {
    const read = whole ? (parseJson(head).value ?? parsePrefix(head)) : parsePrefix(head);
    const value = read === undefined && /NaN|Infinity/.test(head) ? parsePrefix(nullsFor(head).text) : read;
    const values = value === undefined ? [] : [value];
    return { head, whole, shape: 'json', values, looksLike: describeValue(value) };
  }
  if (/^(event|data|id|retry|):/.test(head.trimStart())) {
    const values = lines.flatMap((line) => parseJson(dataOf(line) ?? '').value ?? []);
    if (values.length > 0)
      return {
        head,
        whole,
        shape: 'sse',
        values,
        looksLike: `server-sent events, the first of which is ${describeValue(values[0])}`,
      };
  }
  return { head, whole, shape: 'other', values: [], looksLike: describeText(head) };
}

/**
 * A document that is an array, as if its elements were in lines: a tool's log saved as one value. Null for anything else.
 */
export function asLines(seen: Sniff): Sniff | null {
  const [list] = seen.values;
  return seen.shape === 'json' && Array.isArray(list)
    ? { ...seen, shape: 'jsonl', values: list.slice(0, MAX_LINES) }
    : null;
}

/** The JSON in a line of server-sent events (`data: {…}`), or null for any other line. */
function dataOf(line: string): string | null {
  return /^data: ?([[{].*?)\r?$/s.exec(line)?.[1] ?? null;
}

// The head may end inside a character; that is not a fault of the file.
function decodeHead(bytes: Uint8Array, whole: boolean): string {
  let end = bytes.length;
  if (!whole) {
    let back = 1;
    while (back < 4 && end - back > 0 && ((bytes[end - back] ?? 0) & 0xc0) === 0x80) back++;
    if (((bytes[end - back] ?? 0) & 0xc0) === 0xc0) end -= back;
  }
  return decodeUtf8(bytes.subarray(0, end)).text.replace(/^\ufeff/, '');
}

function wholeLines(head: string, whole: boolean): string[] {
  const lines = head.split('\n');
  if (!whole) lines.pop();
  return lines.filter((line) => /[^\s\0]/.test(line)).slice(0, MAX_LINES);
}

function hasMoreLines(head: string): boolean {
  const text = head.trimStart();
  const newline = text.indexOf('\n');
  return newline >= 0 && text.slice(newline).trim() !== '';
}

// One object on one line is a document; the readers of line formats take it as one line as well.
function looksLikeLines(lines: readonly string[], first: string, more: boolean): boolean {
  const [line1, ...others] = lines;
  if (line1 === undefined || !more) return false;
  if (!parseJson(line1).error && (first === '{' || first === '[')) return true;
  const trimmed = line1.trim();
  if ((first === '{' || first === '[') && /[{[,]$/.test(trimmed)) return false;
  const objects = others.filter((line) => /^\s*\{.*\}\s*$/.test(line) && !parseJson(line).error);
  return objects.length > 0 && objects.length * 2 >= others.length;
}

/**
 * The value that a cut-off JSON text holds up to its last complete part, containers closed; undefined if there is
 * nothing. `{"a":[1,2,{"b` gives `{a: [1, 2, {}]}`, `{"a":"lon` gives `{a: 'lon'}`.
 */
export function parsePrefix(text: string): unknown {
  const closers: string[] = [];
  const cuts: Cut[] = [];
  let afterColon = true;
  const mark = (end: number): void => {
    cuts.push({ end, closing: closers.toReversed().join('') });
    if (cuts.length > 16) cuts.shift();
  };
  let i = 0;
  while (i < text.length && closers.length < 200) {
    const c = text.charAt(i);
    if (c === '"') {
      const end = prefixStringEnd(text, i);
      if (end < 0) {
        const inValue = afterColon || closers.at(-1) === ']';
        return (inValue ? closeString(text, closers) : undefined) ?? parseCuts(text, cuts);
      }
      i = end;
      if (afterColon || closers.at(-1) === ']') mark(i);
      continue;
    }
    i++;
    if (c === '{' || c === '[') {
      closers.push(c === '{' ? '}' : ']');
      afterColon = false;
      mark(i);
    } else if (c === '}' || c === ']') {
      closers.pop();
      mark(i);
      if (closers.length === 0) break;
    } else if (c === ':') afterColon = true;
    else if (c === ',') {
      // Before a comma stands a complete value: this is where scalars are counted in.
      mark(i - 1);
      afterColon = false;
    }
  }
  return parseCuts(text, cuts);
}

interface Cut {
  readonly end: number;
  readonly closing: string;
}

// The text may be broken near its end: then a cut before that is taken.
function parseCuts(text: string, cuts: readonly Cut[]): unknown {
  for (const { end, closing } of cuts.toReversed()) {
    const parsed = parseJson(text.slice(0, end) + closing);
    if (!parsed.error) return parsed.value;
  }
  return undefined;
}

// A value that is a long string, cut inside: its beginning counts, so that the key is seen.
function closeString(text: string, closers: readonly string[]): unknown {
  const partial = /u[0-9a-fA-F]{0,3}$/.exec(text.slice(-4));
  let end = partial ? text.length - partial[0].length : text.length;
  let backslashes = 0;
  while (text.charAt(end - 1 - backslashes) === '\\') backslashes++;
  if (backslashes % 2 === 1) end--;
  else end = text.length;
  return parseJson(`${text.slice(0, end)}"${closers.toReversed().join('')}`).value;
}

function prefixStringEnd(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 0x5c) i++;
    else if (c === 0x22) return i + 1;
  }
  return -1;
}

const SIGNATURES: readonly (readonly [readonly number[], string])[] = [
  [[0x50, 0x4b, 0x03, 0x04], 'a zip archive'],
  [[0x89, 0x50, 0x4e, 0x47], 'a PNG image'],
  [[0xff, 0xd8, 0xff], 'a JPEG image'],
  [[0x47, 0x49, 0x46, 0x38], 'a GIF image'],
  [[0x25, 0x50, 0x44, 0x46], 'a PDF document'],
  [[0x1f, 0x8b], 'a gzip archive (unpack it first)'],
  [[0x28, 0xb5, 0x2f, 0xfd], 'a zstd archive (unpack it first)'],
  [[0xff, 0xfe], 'text in UTF-16; save it as UTF-8 to import it'],
  [[0xfe, 0xff], 'text in UTF-16; save it as UTF-8 to import it'],
  [[0x53, 0x51, 0x4c, 0x69, 0x74, 0x65, 0x20], 'an SQLite database'],
];

function binaryKind(bytes: Uint8Array): string | null {
  for (const [signature, name] of SIGNATURES) {
    if (signature.every((byte, i) => bytes[i] === byte)) return name;
  }
  const head = bytes.subarray(0, 4096);
  if (head.length >= 4 && isUtf16(head)) return 'text in UTF-16; save it as UTF-8 to import it';
  const controls = head.filter(
    (byte) => byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d && byte !== 0x1b,
  );
  const nuls = head.filter((byte) => byte === 0).length;
  if (controls.length - nuls > head.length / 20)
    return `a binary file (it begins with the bytes ${hexBytes(bytes, 0, 8)})`;
  if (nuls === head.length && nuls > 0) return 'a file of NUL bytes';
  return null;
}

// Without a mark: JSON in UTF-16 has a NUL as every other byte.
function isUtf16(head: Uint8Array): boolean {
  const pairs = Math.floor(Math.min(head.length, 64) / 2);
  let even = 0;
  let odd = 0;
  for (let i = 0; i < pairs; i++) {
    if (head[2 * i] === 0) even++;
    if (head[2 * i + 1] === 0) odd++;
  }
  return (even === 0 && odd > pairs * 0.7) || (odd === 0 && even > pairs * 0.7);
}

function describeLines(values: readonly unknown[]): string {
  const first = values.find((value) => value !== null && typeof value === 'object');
  return `JSON lines, the first of which is ${describeValue(first)}`;
}

function describeValue(value: unknown, depth = 0): string {
  if (Array.isArray(value)) {
    if (depth === 3) return 'a JSON array of arrays';
    return value.length === 0
      ? 'an empty JSON array'
      : `a JSON array, the first element of which is ${describeValue(value[0], depth + 1)}`;
  }
  if (!isRecord(value)) return value === undefined ? 'broken JSON' : `a JSON ${value === null ? 'null' : typeof value}`;
  const keys = Object.keys(value);
  if (keys.length === 0) return 'an empty JSON object';
  const shown = keys.slice(0, 8).map((key) => (key.length > 40 ? `${key.slice(0, 40)}…` : key));
  return `a JSON object with the ${keys.length === 1 ? 'key' : 'keys'} ${shown.join(', ')}${keys.length > 8 ? ', …' : ''}`;
}

function describeArchive(members: readonly string[]): string {
  const [first = ''] = members;
  return `a zip archive with the member ${first.slice(0, 80)}${members.length > 1 ? ' and others' : ''}`;
}

function describeText(head: string): string {
  return `text that begins with ${JSON.stringify(head.trim().slice(0, 40))}`;
}
