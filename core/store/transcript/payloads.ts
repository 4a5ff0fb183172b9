// Binary payloads (base64) in JSON text: found by shape, taken out, and put back by the recorded offset alone, so that
// whatever was taken for a payload comes back exactly, even if it was none.

import { Buffer } from 'node:buffer';

/** Shorter strings stay where they are. Unit: characters. */
export const PAYLOAD_MIN_CHARS = 1000;

/** How a payload's text is made from its bytes; `raw` = the bytes are the text itself. */
export type PayloadEncoding = 'base64' | 'base64url' | 'raw';

/** A payload within a text: [start, start + length) in UTF-16 units of the exact text. */
export interface PayloadPlace {
  readonly start: number;
  readonly length: number;
  readonly encoding: PayloadEncoding;
}

/** A payload found in a text. */
export interface Payload extends PayloadPlace {
  readonly bytes: Buffer;
  /** As the text around it says; null if it is not. */
  readonly mime: string | null;
}

/** A text without its payloads. */
export interface Extracted {
  readonly rest: string;
  readonly payloads: readonly Payload[];
}

const QUOTE = 0x22;
const DATA_KEY = '"data"';
const DATA_URL = ';base64,';

/** Takes the payloads out: strings under a key `data`, and data: URLs, of base64 and at least PAYLOAD_MIN_CHARS long. */
export function extractPayloads(text: string): Extracted {
  if (text.length < PAYLOAD_MIN_CHARS) return { rest: text, payloads: [] };
  const payloads = [...findAfterKey(text), ...findDataUrls(text)].sort((a, b) => a.start - b.start);
  return payloads.length === 0 ? { rest: text, payloads } : { rest: without(text, payloads), payloads };
}

/** The exact text from what {@link extractPayloads} left, the places in order, and the payloads' own texts. */
export function restoreAt(rest: string, places: readonly { start: number; text: string }[]): string {
  const out: string[] = [];
  let taken = 0;
  let length = 0;
  for (const place of places) {
    const between = rest.slice(taken, taken + place.start - length);
    taken += between.length;
    out.push(between, place.text);
    length += between.length + place.text.length;
  }
  out.push(rest.slice(taken));
  return out.join('');
}

/** The text without the given stretches, which are in order and do not overlap. */
export function without(text: string, stretches: readonly { start: number; length: number }[]): string {
  const out: string[] = [];
  let at = 0;
  for (const { start, length } of stretches) {
    out.push(text.slice(at, start));
    at = start + length;
  }
  out.push(text.slice(at));
  return out.join('');
}

/** A payload's text from its bytes. */
export function payloadText(bytes: Buffer, encoding: PayloadEncoding): string {
  return encoding === 'raw' ? bytes.toString('utf8') : bytes.toString(encoding);
}

function findAfterKey(text: string): Payload[] {
  const found: Payload[] = [];
  for (let at = text.indexOf(DATA_KEY); at >= 0; at = text.indexOf(DATA_KEY, at + 1)) {
    const start = stringAfterKey(text, at + DATA_KEY.length);
    const payload = start < 0 ? null : payloadFrom(text, start, null);
    if (payload === null) continue;
    found.push({ ...payload, mime: mimeNear(text, payload.start, payload.length) });
    at = payload.start + payload.length;
  }
  return found;
}

/** The offset after the opening quote of the key's value; -1 if the value is not a string. */
function stringAfterKey(text: string, keyEnd: number): number {
  let i = keyEnd;
  let colons = 0;
  for (;;) {
    const c = text.charCodeAt(i);
    if (c === 0x3a && colons === 0) colons++;
    else if (c === QUOTE && colons === 1) return i + 1;
    else if (c !== 0x20 && c !== 0x0a && c !== 0x0d && c !== 0x09) return -1;
    i++;
  }
}

function findDataUrls(text: string): Payload[] {
  const found: Payload[] = [];
  for (let at = text.indexOf(DATA_URL); at >= 0; at = text.indexOf(DATA_URL, at + 1)) {
    const head = text.slice(Math.max(0, at - 120), at);
    const url = /"data:([^"\\;,]*)[^"\\,]*$/.exec(head);
    // A string under the key `data` is taken as a payload only if all of it is base64, so the two kinds never overlap.
    const payload = url === null ? null : payloadFrom(text, at + DATA_URL.length, url[1] ?? null);
    if (payload === null) continue;
    found.push(payload);
    at = payload.start + payload.length;
  }
  return found;
}

function payloadFrom(text: string, start: number, mime: string | null): Payload | null {
  const end = base64End(text, start);
  if (end - start < PAYLOAD_MIN_CHARS || text.charCodeAt(end) !== QUOTE) return null;
  const exact = text.slice(start, end);
  for (const encoding of ['base64', 'base64url'] as const) {
    const bytes = Buffer.from(exact, encoding);
    if (bytes.toString(encoding) === exact) return { start, length: exact.length, encoding, bytes, mime };
  }
  return { start, length: exact.length, encoding: 'raw', bytes: Buffer.from(exact, 'latin1'), mime };
}

/** Base64's and base64url's characters, `=`, and the escapes some writers put between (`\/`, `\n`, `\r`). */
const BASE64_CHARS = new Uint8Array(128);
for (const c of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_=')
  BASE64_CHARS[c.charCodeAt(0)] = 1;

function base64End(text: string, start: number): number {
  let i = start;
  for (;;) {
    const c = text.charCodeAt(i);
    if (c < 128 && BASE64_CHARS[c] === 1) i++;
    else if (c === 0x5c && isPlainEscape(text.charCodeAt(i + 1))) i += 2;
    else return i;
  }
}

function isPlainEscape(c: number): boolean {
  return c === 0x2f || c === 0x6e || c === 0x72;
}

/** A media type stated within 200 characters before or after, in the providers' spellings. */
function mimeNear(text: string, start: number, length: number): string | null {
  const end = start + length;
  const near = `${text.slice(Math.max(0, start - 200), start)}\n${text.slice(end, end + 200)}`;
  return /"(?:media_type|mediaType|mimeType|mime_type)"\s*:\s*"([^"\\]{1,100})"/.exec(near)?.[1] ?? null;
}
