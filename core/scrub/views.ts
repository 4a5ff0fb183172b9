// A text as it reads once its escapes are undone, with the way back: a token behind an escaped line break is found where it
// stands. Escapes of JSON, of most languages and of HTML are undone in one step; text inside text takes several.

/** A decoded text. */
export interface View {
  readonly text: string;
  /** The offset in the text it was made of where its character `offset` begins. */
  place(offset: number): number;
  /** The offset there where its character before `offset` ends. */
  end(offset: number): number;
}

const ESCAPE =
  /\\(?:u[0-9a-fA-F]{4}|u\{[0-9a-fA-F]{1,6}\}|x[0-9a-fA-F]{2}|[nrtbfv0e"'`\\/])|&(?:quot|amp|lt|gt|apos|#39|#34|#x27|#x2F|#47);/g;
const PERCENT = /%[2-7][0-9A-Fa-f]/g;

/** The text with one layer of backslash escapes and HTML entities undone; null if there are none. */
export function unescaped(text: string): View | null {
  if (!text.includes('\\') && !text.includes('&')) return null;
  return replaced(text, ESCAPE, meaningOf);
}

/** The text with percent signs of addresses undone, of ASCII; null if there are none. */
export function percentDecoded(text: string): View | null {
  return text.includes('%')
    ? replaced(text, PERCENT, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)))
    : null;
}

// Logs have the escape itself, or written as code writes it. The sequences of links hold an address: they are read.
const COLOUR = /(?:\x1b|\\(?:u001[bB]|x1[bB]|033|e(?=\[\d)))\[[0-9;:?]{0,40}[A-Za-z]/g;
const HAS_COLOUR = /\x1b|\\(?:u001b|x1b|033|e\[)/i;

/** The text without the sequences that give a terminal its colours; null if there are none. */
export function withoutColours(text: string): View | null {
  if (!HAS_COLOUR.test(text)) return null;
  const view = replaced(text, COLOUR, () => '');
  // Behind a sequence the next character begins, but the one before it has ended.
  return view && { ...view, end: (offset) => (offset === 0 ? view.place(0) : view.place(offset - 1) + 1) };
}

const LETTERS: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  v: '\v',
  0: '\0',
  e: '\x1b',
};
const ENTITIES: Readonly<Record<string, string>> = {
  quot: '"',
  amp: '&',
  lt: '<',
  gt: '>',
  apos: "'",
  '#39': "'",
  '#34': '"',
  '#x27': "'",
  '#x2F': '/',
  '#47': '/',
};

function meaningOf(code: string): string {
  if (code.startsWith('&')) return ENTITIES[code.slice(1, -1)] ?? code;
  const letter = code.charAt(1);
  if (code.length === 2) return LETTERS[letter] ?? letter;
  const unit = Number.parseInt(code.slice(2).replace(/[{}]/g, ''), 16);
  // One unit for one escape, so that offsets are easy to follow; what needs two is of no interest here.
  return unit > 0xffff ? '\ufffd' : String.fromCharCode(unit);
}

function replaced(text: string, form: RegExp, meaning: (code: string) => string): View | null {
  const pieces: string[] = [];
  const ends: number[] = [];
  const starts: number[] = [];
  let last = 0;
  let length = 0;
  for (const found of text.matchAll(form)) {
    const piece = meaning(found[0]);
    pieces.push(text.slice(last, found.index), piece);
    length += found.index - last + piece.length;
    last = found.index + found[0].length;
    ends.push(length);
    starts.push(last);
  }
  if (ends.length === 0) return null;
  pieces.push(text.slice(last));
  const place = (offset: number): number => placeIn(ends, starts, offset);
  return { text: pieces.join(''), place, end: place };
}

// Behind the last escape that ends at or before it, as many characters further on.
function placeIn(ends: readonly number[], starts: readonly number[], offset: number): number {
  let low = 0;
  let high = ends.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ends[middle] ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? offset : (starts[low - 1] ?? 0) + offset - (ends[low - 1] ?? 0);
}

/** A run of base64 that is text. */
export interface Encoded {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /** The same alphabet and padding, of another text. */
  encode(text: string): string;
}

const BASE64 = /[A-Za-z0-9+/_-]{20,}={0,2}/g;
/** Longer runs are pictures and archives. Unit: characters. */
const MOST_BASE64 = 400_000;

/** Runs of base64 in a text that hold readable text. */
export function* encodedTexts(text: string): Generator<Encoded> {
  for (const found of text.matchAll(BASE64)) {
    const run = found[0];
    if (run.length > MOST_BASE64 || !/[A-Z]/.test(run) || !/[a-z]/.test(run) || !isText(decoded(run.slice(0, 64))))
      continue;
    const inner = decoded(run);
    if (inner === null || !isText(inner)) continue;
    yield { from: found.index, to: found.index + run.length, text: inner, encode: (other) => encoded(other, run) };
  }
}

function isText(text: string | null): boolean {
  if (text === null || text.length < 12) return false;
  // Binary has control characters and bytes above ASCII in plenty.
  const odd = text.match(/[^\t\n\r\x20-\x7e]/g)?.length ?? 0;
  return odd === 0 || (odd / text.length < 0.02 && text.length > 100);
}

// Bytes as characters: what is above ASCII goes there and back unchanged.
function decoded(run: string): string | null {
  const plain = run.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '');
  return plain.length % 4 === 1 ? atob(plain.slice(0, -1)) : atob(plain);
}

function encoded(text: string, like: string): string {
  const code = btoa(text);
  const safe = /[-_]/.test(like) ? code.replaceAll('+', '-').replaceAll('/', '_') : code;
  return like.endsWith('=') || like.length % 4 === 0 ? safe : safe.replace(/=+$/, '');
}
