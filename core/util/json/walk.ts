// The JSON grammar (RFC 8259), once. Everything in this folder works on the text itself, because
// JavaScript's parse-and-print loses `1.0`, integers beyond 2^53, the order of number-like keys and duplicate keys.
// No recursion: nesting costs heap, not stack. One pass: every function is linear in what it reads.

/** The text is not JSON. `offset` is in UTF-16 units from the start of the text. */
export class JsonSyntaxError extends SyntaxError {
  readonly offset: number;

  constructor(expected: string, text: string, offset: number) {
    const found = offset < text.length ? JSON.stringify(text.charAt(offset)) : 'the end of the text';
    super(`invalid JSON at offset ${offset}: expected ${expected}, found ${found}`);
    this.name = 'JsonSyntaxError';
    this.offset = offset;
  }
}

/** Callbacks of walkJson; offsets are in UTF-16 units, `end` is exclusive. */
export interface JsonVisitor {
  /** A container opens; `start` is the place of its bracket. */
  open(start: number, isObject: boolean): void;
  /** A member's key, quotes included. */
  key(start: number, end: number): void;
  /** A string, number, true, false or null. */
  scalar(start: number, end: number): void;
  /** The innermost open container ends. */
  close(end: number): void;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COMMA = 0x2c;
const COLON = 0x3a;

/** The next offset that is not JSON white space (space, tab, CR, LF). */
export function skipSpace(text: string, start: number): number {
  let i = start;
  for (;;) {
    const c = text.charCodeAt(i);
    if (c !== 0x20 && c !== 0x0a && c !== 0x0d && c !== 0x09) return i;
    i++;
  }
}

/**
 * Walks the one value that begins at `start` (white space before it is skipped); returns the offset after it. Throws
 * JsonSyntaxError. `trusted` = the text is known to be JSON: what is within strings is not checked, which makes long
 * ones several times faster.
 */
export function walkJson(text: string, start: number, visitor: JsonVisitor, trusted = false): number {
  const open: number[] = [];
  let i = skipSpace(text, start);
  for (;;) {
    const c = text.charCodeAt(i);
    if (c === OPEN_BRACE || c === OPEN_BRACKET) {
      visitor.open(i, c === OPEN_BRACE);
      i = skipSpace(text, i + 1);
      const closer = c === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET;
      if (text.charCodeAt(i) !== closer) {
        open.push(closer);
        if (c === OPEN_BRACE) i = walkKey(text, i, visitor);
        continue;
      }
      visitor.close(++i);
    } else {
      const end = trusted && c === QUOTE ? trustedStringEnd(text, i) : scalarEnd(text, i);
      visitor.scalar(i, end);
      i = end;
    }
    // A value has just ended: close what ends with it, or step to the next one.
    for (;;) {
      const closer = open.at(-1);
      if (closer === undefined) return i;
      i = skipSpace(text, i);
      const next = text.charCodeAt(i);
      if (next === closer) {
        open.pop();
        visitor.close(++i);
      } else if (next === COMMA) {
        i = skipSpace(text, i + 1);
        if (closer === CLOSE_BRACE) i = walkKey(text, i, visitor);
        break;
      } else {
        throw new JsonSyntaxError(closer === CLOSE_BRACE ? '"," or "}"' : '"," or "]"', text, i);
      }
    }
  }
}

function walkKey(text: string, start: number, visitor: JsonVisitor): number {
  if (text.charCodeAt(start) !== QUOTE) throw new JsonSyntaxError('a key in double quotes', text, start);
  const end = stringEnd(text, start);
  visitor.key(start, end);
  const colon = skipSpace(text, end);
  if (text.charCodeAt(colon) !== COLON) throw new JsonSyntaxError('":"', text, colon);
  return skipSpace(text, colon + 1);
}

function scalarEnd(text: string, start: number): number {
  switch (text.charCodeAt(start)) {
    case QUOTE:
      return stringEnd(text, start);
    case 0x74:
      return wordEnd(text, start, 'true');
    case 0x66:
      return wordEnd(text, start, 'false');
    case 0x6e:
      return wordEnd(text, start, 'null');
    default:
      return numberEnd(text, start);
  }
}

function wordEnd(text: string, start: number, word: string): number {
  if (!text.startsWith(word, start)) throw new JsonSyntaxError('a value', text, start);
  return start + word.length;
}

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y;

function numberEnd(text: string, start: number): number {
  NUMBER.lastIndex = start;
  if (!NUMBER.test(text)) throw new JsonSyntaxError('a value', text, start);
  return NUMBER.lastIndex;
}

/** The offset after the closing quote of the string literal whose opening quote is at `start`. Throws JsonSyntaxError. */
export function stringEnd(text: string, start: number): number {
  let i = start + 1;
  for (;;) {
    const c = text.charCodeAt(i);
    if (c === QUOTE) return i + 1;
    if (c === BACKSLASH) i = escapeEnd(text, i);
    else if (c >= 0x20) i++;
    else throw new JsonSyntaxError('the rest of a string', text, i); // a raw control character, or (NaN) the end
  }
}

/** Characters looked at one by one before a native search pays. */
const SHORT = 24;

/** As stringEnd, for a text known to be JSON: looks for the closing quote alone. */
function trustedStringEnd(text: string, start: number): number {
  let i = start + 1;
  for (const soon = i + SHORT; i < soon; ) {
    const c = text.charCodeAt(i);
    if (c === QUOTE) return i + 1;
    i += c === BACKSLASH ? 2 : 1;
  }
  for (;;) {
    const quote = text.indexOf('"', i);
    if (quote < 0) throw new JsonSyntaxError('the rest of a string', text, text.length);
    let before = quote;
    while (before > i && text.charCodeAt(before - 1) === BACKSLASH) before--;
    // An even number of backslashes are escaped ones; an odd number escape the quote.
    if ((quote - before) % 2 === 0) return quote + 1;
    i = quote + 1;
  }
}

function escapeEnd(text: string, start: number): number {
  switch (text.charAt(start + 1)) {
    case '"':
    case '\\':
    case '/':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't':
      return start + 2;
    case 'u':
      for (let i = start + 2; i < start + 6; i++) {
        if (!isHexDigit(text.charCodeAt(i))) throw new JsonSyntaxError('a hexadecimal digit', text, i);
      }
      return start + 6;
    default:
      throw new JsonSyntaxError('an escape (one of " \\ / b f n r t u)', text, start + 1);
  }
}

function isHexDigit(c: number): boolean {
  return (c >= 0x30 && c <= 0x39) || (c >= 0x41 && c <= 0x46) || (c >= 0x61 && c <= 0x66);
}

const IGNORE: JsonVisitor = { open() {}, key() {}, scalar() {}, close() {} };

/** The offset after the value that begins at `start` (white space before it allowed). Throws JsonSyntaxError. `trusted`: see walkJson. */
export function skipValue(text: string, start: number, trusted = false): number {
  if (trusted && text.charCodeAt(start) === QUOTE) return trustedStringEnd(text, start);
  return walkJson(text, start, IGNORE, trusted);
}

/** Throws JsonSyntaxError unless nothing but white space is left from `start` on. */
export function expectEnd(text: string, start: number): void {
  const end = skipSpace(text, start);
  if (end < text.length) throw new JsonSyntaxError('the end of the text', text, end);
}
