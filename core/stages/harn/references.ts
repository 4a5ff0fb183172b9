// What a JSON value refers to. Walks the text itself: an id of 19 digits must not pass through a double.
import { canonicalNumber, type JsonVisitor, parseString, walkJson } from '../../util/json/index.ts';
import { identifiersIn, type TokenSink, tokenHash, tokensIn } from './tokens.ts';

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

/** A walk over one JSON value that knows under which field each scalar stands, and what is muted. */
abstract class FieldWalk implements JsonVisitor {
  protected readonly text: string;
  readonly #frames: Frame[] = [];

  constructor(text: string) {
    this.text = text;
  }

  open(_start: number, isObject: boolean): void {
    const parent = this.#frames.at(-1);
    const { field, muted } = this.#here();
    const inEnvelope = isObject && parent?.isObject === true && parent.key === ENVELOPE;
    this.#frames.push({ isObject, field, inEnvelope, muted, key: '' });
  }

  key(start: number, end: number): void {
    const frame = this.#frames.at(-1);
    if (frame !== undefined) frame.key = parseString(this.text, start, end);
  }

  scalar(start: number, end: number): void {
    const { field, muted } = this.#here();
    if (muted) return;
    const first = this.text.charCodeAt(start);
    if (first === 0x22) this.string(parseString(this.text, start, end), field);
    else if (first === 0x2d || (first >= 0x30 && first <= 0x39)) {
      this.number(canonicalNumber(this.text.slice(start, end)), field);
    }
  }

  close(): void {
    this.#frames.pop();
  }

  #here(): { field: string | null; muted: boolean } {
    const frame = this.#frames.at(-1);
    if (frame === undefined) return { field: null, muted: false };
    if (!frame.isObject) return { field: frame.field, muted: frame.muted };
    return { field: frame.key, muted: frame.muted || this.mutes(frame.key, this.#frames.length, frame.inEnvelope) };
  }

  protected abstract mutes(key: string, depth: number, inEnvelope: boolean): boolean;
  protected abstract string(value: string, field: string | null): void;
  protected abstract number(digits: string, field: string | null): void;
}

const NONE: ReadonlySet<string> = new Set();

class IdentifierWalk extends FieldWalk {
  readonly #sink: TokenSink;
  readonly #muted: ReadonlySet<string>;

  constructor(text: string, sink: TokenSink, muted: ReadonlySet<string>) {
    super(text);
    this.#sink = sink;
    this.#muted = muted;
  }

  protected override mutes(key: string, depth: number, inEnvelope: boolean): boolean {
    if (inEnvelope) return ENVELOPE_WORDS.has(key);
    return depth === 1 && this.#muted.has(key);
  }

  protected override string(value: string, field: string | null): void {
    if (isPayload(value)) return;
    if (field !== null && isReferenceField(field)) tokensIn(value, this.#sink);
    else identifiersIn(value, this.#sink);
  }

  protected override number(digits: string, field: string | null): void {
    if (field !== null && isReferenceField(field)) handOver(digits, this.#sink);
  }
}

/**
 * Hands over the identifiers of a valid JSON value: every value of a reference field, and in all other strings the tokens
 * that look like identifiers. `muted` = members of the root that are left out.
 */
export function identifiersInJson(json: string, sink: TokenSink, muted: ReadonlySet<string> = NONE): void {
  walkJson(json, 0, new IdentifierWalk(json, sink, muted), true);
}

class RootWalk extends FieldWalk {
  readonly #sink: TokenSink;

  constructor(text: string, sink: TokenSink) {
    super(text);
    this.#sink = sink;
  }

  protected override mutes(key: string): boolean {
    return key.startsWith(ENVELOPE);
  }

  protected override string(value: string): void {
    if (!isPayload(value)) tokensIn(value, this.#sink);
  }

  protected override number(digits: string): void {
    handOver(digits, this.#sink);
  }
}

function handOver(digits: string, sink: TokenSink): void {
  sink(digits, 0, digits.length, tokenHash(digits, 0, digits.length));
}

/** Hands over all tokens of a message (valid JSON) as a root: every string and number in it, Harn's own envelope left out. */
export function rootTokensInJson(json: string, sink: TokenSink): void {
  walkJson(json, 0, new RootWalk(json, sink), true);
}
