// The words of reachability: how text is cut into tokens, and which tokens identify something. By character codes,
// because a transcript has many millions of them. Source: spec of the projection, "reachability_gc".

const TOKEN = 1;
const TRIM = 2;
const DIGIT = 4;
const HEX = 8;
const LOWER = 16;
const UPPER = 32;
const ALPHANUMERIC = DIGIT | LOWER | UPPER;

const CLASS = new Uint8Array(128);
mark('0', '9', TOKEN | DIGIT | HEX);
mark('a', 'z', TOKEN | LOWER);
mark('A', 'Z', TOKEN | UPPER);
mark('a', 'f', HEX);
mark('A', 'F', HEX);
for (const char of '_-/\\#') mark(char, char, TOKEN);
for (const char of ':.') mark(char, char, TOKEN | TRIM);

function mark(from: string, to: string, bits: number): void {
  for (let code = from.charCodeAt(0); code <= to.charCodeAt(0); code++) CLASS[code] = (CLASS[code] ?? 0) | bits;
}

function classAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < 128 ? (CLASS[code] ?? 0) : 0;
}

/**
 * Calls `visit` with the span of each token in text[start, end): runs of `A-Za-z0-9 _ - . / \ : #`, colons and dots
 * at their ends trimmed, empty ones left out.
 */
export function scanTokens(text: string, start: number, end: number, visit: (from: number, to: number) => void): void {
  let at = start;
  while (at < end) {
    while (at < end && (classAt(text, at) & TOKEN) === 0) at++;
    let from = at;
    while (at < end && (classAt(text, at) & TOKEN) !== 0) at++;
    let to = at;
    while (from < to && (classAt(text, from) & TRIM) !== 0) from++;
    while (to > from && (classAt(text, to - 1) & TRIM) !== 0) to--;
    if (to > from) visit(from, to);
  }
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
export function isIdentifier(text: string, from: number, to: number): boolean {
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
  if (all === HEX && length >= 7 && length <= 64) return true;
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
