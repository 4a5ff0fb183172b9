// What a JSON value refers to. Walks the text itself: an id of 19 digits must not pass through a double.
import { canonicalNumber, type JsonVisitor, parseString, walkJson } from '../../util/json/index.ts';
import { identifiersIn, type TokenSink, tokenHash, tokenStart, tokensIn } from './tokens.ts';

const FIELDS: ReadonlySet<string> = new Set([
  ...['id', 'ids', 'number', 'path', 'paths', 'symbol', 'symbols', 'sha', 'hash', 'commit', 'revision'],
  ...['ref', 'reference', 'name', 'kind'],
]);
const FIELD_ENDS = /_(?:ids?|number|paths?|symbols?|sha|hash|ref)$/;

/** True for a field whose values are references whatever they look like: `path`, `issue_number`, `commit_sha` … */
export function isReferenceField(name: string): boolean {
  return FIELDS.has(name) || FIELD_ENDS.test(name);
}

// Harn's envelope around a result. Its vocabulary describes the envelope, not the work.
const ENVELOPE = '_harn';
const ENVELOPE_WORDS: ReadonlySet<string> = new Set(['role', 'type', 'kind', 'status', 'outcome', 'schema']);
const BASE64 = /^[A-Za-z0-9+/]{1024,}={0,2}$/;

/** True for a payload: it is full of accidental tokens, and names nothing. */
function isPayload(value: string): boolean {
  return value.length >= 1024 && BASE64.test(value);
}

const QUOTED_BASE64 = /"[A-Za-z0-9+/]{1024,}={0,2}"/g;

/** A JSON text with its payloads emptied. */
export function withoutPayloads(json: string): string {
  return json.length < 1024 ? json : json.replace(QUOTED_BASE64, '""');
}

interface Frame {
  readonly isObject: boolean;
  /** The field the container stands under; arrays hand it on to their elements. */
  readonly field: string | null;
  readonly inEnvelope: boolean;
  readonly muted: boolean;
  key: string;
}

const NONE: ReadonlySet<string> = new Set();

// Knows under which field each scalar stands, and what is muted.
class IdentifierWalk implements JsonVisitor {
  readonly #text: string;
  readonly #sink: TokenSink;
  readonly #muted: ReadonlySet<string>;
  readonly #frames: Frame[] = [];

  constructor(text: string, sink: TokenSink, muted: ReadonlySet<string>) {
    this.#text = text;
    this.#sink = sink;
    this.#muted = muted;
  }

  open(_start: number, isObject: boolean): void {
    const parent = this.#frames.at(-1);
    const { field, muted } = this.#here();
    const inEnvelope = isObject && parent?.isObject === true && parent.key === ENVELOPE;
    this.#frames.push({ isObject, field, inEnvelope, muted, key: '' });
  }

  key(start: number, end: number): void {
    const frame = this.#frames.at(-1);
    if (frame !== undefined) frame.key = parseString(this.#text, start, end);
  }

  scalar(start: number, end: number): void {
    const { field, muted } = this.#here();
    if (muted) return;
    const first = this.#text.charCodeAt(start);
    if (first === QUOTE) this.#string(parseString(this.#text, start, end), field);
    else if (isNumber(first) && isReference(field)) handOver(canonicalNumber(this.#text.slice(start, end)), this.#sink);
  }

  close(): void {
    this.#frames.pop();
  }

  #here(): { field: string | null; muted: boolean } {
    const frame = this.#frames.at(-1);
    if (frame === undefined) return { field: null, muted: false };
    if (!frame.isObject) return { field: frame.field, muted: frame.muted };
    return { field: frame.key, muted: frame.muted || this.#mutes(frame.key, frame.inEnvelope) };
  }

  #mutes(key: string, inEnvelope: boolean): boolean {
    return inEnvelope ? ENVELOPE_WORDS.has(key) : this.#frames.length === 1 && this.#muted.has(key);
  }

  #string(value: string, field: string | null): void {
    if (isPayload(value)) return;
    if (isReference(field)) tokensIn(value, this.#sink);
    else identifiersIn(value, this.#sink);
  }
}

function isReference(field: string | null): boolean {
  return field !== null && isReferenceField(field);
}

function isNumber(first: number): boolean {
  return first === 0x2d || (first >= 0x30 && first <= 0x39);
}

/**
 * Hands over the identifiers of a valid JSON value: every value of a reference field, and in all other strings the tokens
 * that look like identifiers. `muted` = members of the root that are left out.
 */
export function identifiersInJson(json: string, sink: TokenSink, muted: ReadonlySet<string> = NONE): void {
  walkJson(json, 0, new IdentifierWalk(json, sink, muted), true);
}

// Every message becomes a root once: so its strings are read in place, and no fields are kept.
class RootWalk implements JsonVisitor {
  readonly #text: string;
  readonly #sink: TokenSink;
  /** How many containers are open in which everything is left out. */
  #muted = 0;
  /** True after a key whose value is left out. */
  #isEnvelope = false;
  /** The next backslash: it is looked for once, however many strings come before it. */
  #backslash = -1;

  constructor(text: string, sink: TokenSink) {
    this.#text = text;
    this.#sink = sink;
  }

  open(): void {
    if (this.#muted > 0 || this.#isEnvelope) this.#muted++;
    this.#isEnvelope = false;
  }

  key(start: number, end: number): void {
    if (this.#muted === 0) this.#isEnvelope = isEnvelopeKey(this.#text, start, end);
  }

  scalar(start: number, end: number): void {
    if (this.#muted > 0 || this.#isEnvelope) return;
    const text = this.#text;
    const first = text.charCodeAt(start);
    if (isNumber(first)) handOver(canonicalNumber(text.slice(start, end)), this.#sink);
    else if (first === QUOTE && !isPayloadLiteral(text, start, end)) this.#string(start, end);
  }

  // In place: most escapes only part words, and need not be taken away in a copy first.
  #string(start: number, end: number): void {
    const [text, sink] = [this.#text, this.#sink];
    for (let at = start + 1; ; ) {
      const to = Math.min(this.#backslashFrom(at), end - 1);
      const parts = to === end - 1 || SEPARATORS.includes(text.charAt(to + 1));
      const before = parts ? to : tokenStart(text, at, to);
      tokensIn(text, sink, at, before);
      // Any other may be part of a word: then the rest is read as it is meant.
      if (!parts) tokensIn(parseString(text, before - 1, end), sink);
      if (!parts || to === end - 1) return;
      at = to + 2;
    }
  }

  #backslashFrom(at: number): number {
    if (this.#backslash < at) {
      const found = this.#text.indexOf('\\', at);
      this.#backslash = found < 0 ? this.#text.length : found;
    }
    return this.#backslash;
  }

  close(): void {
    if (this.#muted > 0) this.#muted--;
    this.#isEnvelope = false;
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** What follows the backslash in escapes of characters that no token holds. */
const SEPARATORS = 'n"trbf';

function isEnvelopeKey(text: string, start: number, end: number): boolean {
  const first = text.charCodeAt(start + 1);
  if (first !== ENVELOPE.charCodeAt(0) && first !== BACKSLASH) return false;
  return parseString(text, start, end).startsWith(ENVELOPE);
}

const MAYBE_PAYLOAD = /[A-Za-z0-9+/=\\]*/y;

// As isPayload, of a string literal. Nearly every text has a space soon.
function isPayloadLiteral(text: string, start: number, end: number): boolean {
  if (end - start < 1024) return false;
  MAYBE_PAYLOAD.lastIndex = start + 1;
  MAYBE_PAYLOAD.test(text);
  return MAYBE_PAYLOAD.lastIndex === end - 1 && isPayload(parseString(text, start, end));
}

function handOver(digits: string, sink: TokenSink): void {
  sink(digits, 0, digits.length, tokenHash(digits, 0, digits.length));
}

/** Hands over all tokens of a message (valid JSON) as a root: every string and number in it, Harn's own envelope left out. */
export function rootTokensInJson(json: string, sink: TokenSink): void {
  walkJson(json, 0, new RootWalk(json, sink), true);
}
