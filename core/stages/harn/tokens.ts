// The words of reachability: how text is cut into tokens, and which tokens identify something. By character codes,
// because a transcript has many millions of them. Source: spec of the projection, "reachability_gc".

const TOKEN = 1;
const TRIM = 2;
const DIGIT = 4;
const HEX = 8;
const LOWER = 16;
const UPPER = 32;
const SIGN = 64;
const ALPHANUMERIC = DIGIT | LOWER | UPPER;

/** By UTF-16 unit. */
const CLASS = new Uint8Array(0x10000);
mark('0', '9', TOKEN | DIGIT | HEX);
mark('a', 'z', TOKEN | LOWER);
mark('A', 'Z', TOKEN | UPPER);
mark('a', 'f', HEX);
mark('A', 'F', HEX);
for (const char of '_-/\\#') mark(char, char, TOKEN | SIGN);
for (const char of ':.') mark(char, char, TOKEN | SIGN | TRIM);

function mark(from: string, to: string, bits: number): void {
  for (let code = from.charCodeAt(0); code <= to.charCodeAt(0); code++) CLASS[code] = (CLASS[code] ?? 0) | bits;
}

function classAt(text: string, at: number): number {
  return CLASS[text.charCodeAt(at)]!;
}

/** The token text[from, to) of some string, and its hash: FNV-1a over its UTF-16 units, 32 bits. */
export type TokenSink = (text: string, from: number, to: number, hash: number) => void;

const FNV_START = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** The hash that a token is handed over with. */
export function tokenHash(text: string, from: number, to: number): number {
  let hash = FNV_START;
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ text.charCodeAt(i), FNV_PRIME);
  return hash;
}

/**
 * Hands over each token in text[from, to): runs of `A-Za-z0-9 _ - . / \ : #`, colons and dots at their ends trimmed, empty
 * ones left out. It is hashed as it is read: who takes it need not read it again.
 */
export function tokensIn(text: string, sink: TokenSink, from = 0, to: number = text.length): void {
  scan(text, from, to, sink, false);
}

/** Hands over the identifiers in a string: the tokens that look like one. */
export function identifiersIn(text: string, sink: TokenSink): void {
  scan(text, 0, text.length, sink, true);
}

/** Where the token begins that may end before text[at]; not before `from`. */
export function tokenStart(text: string, from: number, at: number): number {
  let start = at;
  while (start > from && (classAt(text, start - 1) & TOKEN) !== 0) start--;
  return start;
}

const BEGINS = TOKEN | TRIM;
/** What the characters of a word of small letters are, and no other's. */
const PLAIN = TOKEN | LOWER | HEX;

function scan(text: string, start: number, end: number, sink: TokenSink, identifiersOnly: boolean): void {
  for (let at = start; at < end; ) {
    let unit = text.charCodeAt(at);
    let bits = CLASS[unit]!;
    if ((bits & BEGINS) !== TOKEN) {
      at++;
      continue;
    }
    const from = at;
    let to = at;
    let hash = FNV_START;
    let hashed = hash;
    let any = 0;
    let all = HEX;
    while ((bits & TOKEN) !== 0) {
      any |= bits;
      all &= bits;
      hash = Math.imul(hash ^ unit, FNV_PRIME);
      at++;
      if ((bits & TRIM) === 0) {
        to = at;
        hashed = hash;
      }
      if (at === end) break;
      unit = text.charCodeAt(at);
      bits = CLASS[unit]!;
    }
    if (identifiersOnly) {
      // Most words of a text: nothing about them needs another look.
      const isPlain = (any & ~PLAIN) === 0;
      if (isPlain ? all !== HEX || !isHexLength(to - from) : !isIdentifier(text, from, to)) continue;
    }
    sink(text, from, to, hashed);
  }
}

function isHexLength(length: number): boolean {
  return length >= 7 && length <= 64;
}

const SLASH = 0x2f;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const UNDERSCORE = 0x5f;
const DOT = 0x2e;
const HASH = 0x23;
const DASH = 0x2d;

/**
 * True if the token text[from, to) looks like an identifier: at least 3 long and `#` with digits, a path or `::`, 7–64
 * hex digits, a UUID, `.ext` at the end, ≥ 6 with `_`, or mixed case and ≥ 4.
 */
function isIdentifier(text: string, from: number, to: number): boolean {
  const length = to - from;
  if (length < 3) return false;
  let all = HEX;
  let any = 0;
  let underscore = false;
  let lastDot = -1;
  for (let i = from; i < to; i++) {
    const code = text.charCodeAt(i);
    if (code === SLASH || code === BACKSLASH) return true;
    if (code === COLON && i + 1 < to && text.charCodeAt(i + 1) === COLON) return true;
    if (code === UNDERSCORE) underscore = true;
    else if (code === DOT) lastDot = i;
    const bits = CLASS[code] ?? 0;
    all &= bits;
    any |= bits;
  }
  if (underscore && length >= 6) return true;
  if (length >= 4 && (any & LOWER) !== 0 && (any & UPPER) !== 0) return true;
  if (all === HEX && isHexLength(length)) return true;
  if (lastDot >= 0 && isExtension(text, lastDot + 1, to)) return true;
  return isIssueNumber(text, from, to) || isUuid(text, from, to);
}

function isExtension(text: string, from: number, to: number): boolean {
  const length = to - from;
  return length >= 1 && length <= 8 && everyIn(text, from, to, ALPHANUMERIC);
}

function isIssueNumber(text: string, from: number, to: number): boolean {
  return text.charCodeAt(from) === HASH && everyIn(text, from + 1, to, DIGIT);
}

function everyIn(text: string, from: number, to: number, bits: number): boolean {
  for (let i = from; i < to; i++) if ((classAt(text, i) & bits) === 0) return false;
  return to > from;
}

const UUID_LENGTH = 36;
const UUID_DASHES: ReadonlySet<number> = new Set([8, 13, 18, 23]);

function isUuid(text: string, from: number, to: number): boolean {
  if (to - from !== UUID_LENGTH) return false;
  for (let i = 0; i < UUID_LENGTH; i++) {
    const expectsDash = UUID_DASHES.has(i);
    if (expectsDash ? text.charCodeAt(from + i) !== DASH : (classAt(text, from + i) & HEX) === 0) return false;
  }
  return true;
}
