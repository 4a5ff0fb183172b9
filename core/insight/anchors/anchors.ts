// Anchors: the words of a text that carry evidence. Who writes `src/login.ts` or `ECONNREFUSED` again has read it; who
// writes "the file" has not proved it. One pass over the runs of characters that names are made of, each recognised by its
// form, longest first: an anchor within a longer one does not count. Linear in the text. Rules: insight.md §2.

/** What gives an anchor its form. */
export type AnchorKind =
  | 'url'
  | 'path'
  | 'identifier'
  | 'env'
  | 'flag'
  | 'version'
  | 'hash'
  | 'id'
  | 'error'
  | 'number'
  | 'quoted';

/** An anchor and where it stands. Unit: UTF-16 units, end exclusive. */
export interface Anchor {
  readonly kind: AnchorKind;
  /** As it is compared: `\` is `/`, a leading `./` and thousands' commas are dropped, white space is one space. */
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** The anchors of a text, in order of where they begin. */
export function anchorsOf(text: string): readonly Anchor[] {
  return new AnchorReader(text).next(text.length);
}

/** Reads the anchors of a long text piece by piece: together they are those of the text. */
export class AnchorReader {
  readonly #text: string;
  #at = 0;
  #quotesFrom = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** True once the whole text was read. */
  get isDone(): boolean {
    return this.#at >= this.#text.length;
  }

  /** The anchors of about the next so many characters, in order. */
  next(characters: number): readonly Anchor[] {
    const found: Anchor[] = [];
    this.#at = readRuns(this.#text, this.#at, Math.min(this.#text.length, this.#at + characters), found);
    const inRuns = found.length;
    this.#quotesFrom = readQuoted(this.#text, this.#quotesFrom, this.#at, found);
    return found.length === inRuns ? found : found.sort((a, b) => a.from - b.from || b.to - a.to);
  }
}

/** Two anchors with the same key are the same. */
export function anchorKey({ kind, text }: Pick<Anchor, 'kind' | 'text'>): string {
  return kind === 'quoted' ? `"${text}"` : text;
}

/** Longer runs are encoded data. */
const RUN_MOST = 300;

// Of the runs that begin before `until`. Gives where reading continues.
function readRuns(text: string, start: number, until: number, found: Anchor[]): number {
  let at = start;
  while (at < until) {
    const first = classAt(text, at);
    if (first === NO_CLASS) {
      at++;
      continue;
    }
    const from = at;
    let classes = first;
    for (at++; at < text.length; at++) {
      const own = classAt(text, at);
      if (own === NO_CLASS) break;
      classes |= own === UPPER ? UPPER | INNER : own;
    }
    if ((classes & DISTINCTIVE_CLASSES) !== 0 || classes === UPPER || classes === (UPPER | INNER)) {
      at = Math.max(at, readDistinctive(text, from, at, classes, found));
    }
  }
  return at;
}

// Gives where reading continues.
function readDistinctive(text: string, from: number, to: number, classes: number, found: Anchor[]): number {
  // A word at the end of a sentence: as most words of prose, it says nothing.
  if ((classes & ~(LOWER | UPPER | INNER | DOT | COLON)) === 0 && isPlain(text, from, to)) return to;
  if ((classes & (COLON | SLASH)) === (COLON | SLASH)) {
    const scheme = text.slice(from, Math.min(to, from + URL_MOST)).indexOf('://');
    if (scheme > 0) return readUrl(text, from, scheme, found);
  }
  return to - from > RUN_MOST ? to : readRun(text, text.slice(from, to), from, found);
}

function isPlain(text: string, from: number, to: number): boolean {
  if ((classAt(text, from) & (LOWER | UPPER)) === 0) return false;
  for (let at = from + 1; at < to - 1; at++) if (classAt(text, at) !== LOWER) return false;
  return (classAt(text, to - 1) & (LOWER | DOT | COLON)) !== 0;
}

// What runs are made of, as bits. A capital within a run differs from one at its beginning.
const NO_CLASS = 0;
const LOWER = 1;
const UPPER = 2;
const INNER = 4;
const DIGIT = 8;
const UNDERSCORE = 16;
const DASH = 32;
const DOT = 64;
const SLASH = 128;
const COLON = 256;
const OTHER = 512;
const DISTINCTIVE_CLASSES = INNER | DIGIT | UNDERSCORE | DASH | DOT | SLASH | COLON | OTHER;

const CLASSES = new Uint16Array(128);
for (let code = 0; code < 128; code++) {
  const character = String.fromCharCode(code);
  if (/[a-z]/.test(character)) CLASSES[code] = LOWER;
  else if (/[A-Z]/.test(character)) CLASSES[code] = UPPER;
  else if (/[0-9]/.test(character)) CLASSES[code] = DIGIT;
  else if (character === '_') CLASSES[code] = UNDERSCORE;
  else if (character === '-') CLASSES[code] = DASH;
  else if (character === '.') CLASSES[code] = DOT;
  else if (character === '/' || character === '\\') CLASSES[code] = SLASH;
  else if (character === ':') CLASSES[code] = COLON;
  else if ('$@~%+='.includes(character)) CLASSES[code] = OTHER;
}

function classAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < 128 ? (CLASSES[code] ?? NO_CLASS) : wideClass(code);
}

// Letters of scripts that part words by spaces continue a run; of others (Thai, Chinese, Japanese, Korean), symbols and marks end it.
function wideClass(code: number): number {
  if (code < 0xc0) return code === 0xb5 ? LOWER : NO_CLASS;
  if (code < 0x0e00 || (code >= 0x1e00 && code < 0x2000)) {
    return WIDE_CAPITAL.test(String.fromCharCode(code)) ? UPPER : LOWER;
  }
  return NO_CLASS;
}

const WIDE_CAPITAL = /\p{Lu}/u;

const SCHEME = /[A-Za-z][A-Za-z0-9+.-]*$/;
const URL_TAIL = /[^\s"'`<>()[\]{}|\\^]+/y;
const URL_MOST = 2000;

// Gives where reading continues.
function readUrl(text: string, start: number, colon: number, found: Anchor[]): number {
  const before = text.slice(start, start + Math.min(colon, RUN_MOST));
  const scheme = SCHEME.exec(before)?.[0] ?? '';
  const from = start + colon - scheme.length;
  URL_TAIL.lastIndex = from;
  const whole = URL_TAIL.exec(text)?.[0] ?? '';
  const url = whole.slice(0, URL_MOST).replace(/[.,;:!?*_~=-]+$/, '');
  if (from > start) readRun(text, text.slice(start, from), start, found);
  const isWhole = scheme !== '' && url.length > scheme.length + 3 && whole.length <= URL_MOST;
  if (isWhole) found.push({ kind: 'url', text: url.replace(/\/$/, ''), from, to: from + url.length });
  return Math.max(from + whole.length, start + colon + 3);
}

// `key=value`, `file.ts:12`, `--flag=x`: pieces that are read by themselves. A drive's colon and `a::b` stay.
const PIECE = /[^=:]+(?:::[^=:]+)*/g;
const DRIVE = /^[A-Za-z]:[\\/]/;

// Gives where reading continues: behind the run, and behind the thousands of a number at its end.
function readRun(text: string, run: string, start: number, found: Anchor[]): number {
  if (!run.includes(':') && !run.includes('=')) return readPiece(text, run, start, found);
  let end = start + run.length;
  if (DRIVE.test(run)) {
    const colon = run.slice(2).search(/[:=]/);
    const path = colon < 0 ? run : run.slice(0, colon + 2);
    readPiece(text, path, start, found);
    return path.length < run.length ? readRun(text, run.slice(path.length), start + path.length, found) : end;
  }
  for (const match of run.matchAll(PIECE)) end = Math.max(end, readPiece(text, match[0], start + match.index, found));
  return end;
}

const LEADING = /^(?:\.[\\/]+|[+.](?![\p{L}_./\\])|-(?![\p{L}-]))+/u;
const TRAILING = /[./\\+$@~-]+$/;

function readPiece(text: string, given: string, start: number, found: Anchor[]): number {
  const lead = /^[.+-]/.test(given) ? (LEADING.exec(given)?.[0].length ?? 0) : 0;
  const piece = given.slice(lead).replace(TRAILING, '');
  const from = start + lead;
  const to = from + piece.length;
  if (piece.length === 0) return to;
  if (/[\\/]/.test(piece)) {
    if (isPath(piece, lead > 0)) found.push({ kind: 'path', text: normalPath(piece), from, to });
    else readParts(piece, from, /[^\\/]+/g, found);
    return to;
  }
  const tail = /^\d{1,3}$/.test(piece) ? thousands(text, to) : '';
  const word = piece + tail.replaceAll(',', '');
  const kind = kindOf(word);
  if (kind !== null) found.push({ kind, text: bare(word), from, to: to + tail.length });
  else if (piece.includes('@')) readParts(piece, from, /[^@]+/g, found);
  return to + tail.length;
}

function readParts(piece: string, from: number, parts: RegExp, found: Anchor[]): void {
  for (const match of piece.matchAll(parts)) {
    const [word] = match;
    const kind = kindOf(word);
    const at = from + match.index;
    if (kind !== null) found.push({ kind, text: bare(word), from: at, to: at + word.length });
  }
}

const THOUSANDS = /(?:,\d{3})+(?![\p{L}\p{N}_])/uy;

function thousands(text: string, at: number): string {
  THOUSANDS.lastIndex = at;
  return THOUSANDS.exec(text)?.[0] ?? '';
}

// `$HOME` and `%APPDATA%` are named by their names.
function bare(word: string): string {
  return word.replace(/^[$%~]|(?<=^%.*)%$/g, '');
}

const NO_PATHS: ReadonlySet<string> = new Set(
  'and/or yes/no true/false on/off read/write input/output he/she his/her client/server true/null n/a i/o w/o k/v'.split(
    ' ',
  ),
);
const ROOTED = /^(?:\/(?!\/)|~[\\/]|@[\w-]+\/|\.\.[\\/]|[A-Za-z]:[\\/]|\\\\)/;
const DISTINCTIVE = /[\p{N}_-]|\p{Ll}\p{Lu}|^\.\p{L}/u;

function isPath(piece: string, wasDotted: boolean): boolean {
  const segments = piece.split(/[\\/]+/).filter((segment) => segment !== '');
  if (segments.every((segment) => /^[\d.]*$/.test(segment))) return false;
  const isNamed = hasExtension(segments.at(-1) ?? '');
  // A backslash in code is mostly an escape.
  if (!piece.includes('/') && !ROOTED.test(piece)) return isNamed || segments.length > 3;
  if (wasDotted || isNamed || ROOTED.test(piece)) return true;
  if (segments.length < 2 || NO_PATHS.has(piece.toLowerCase())) return false;
  return segments.length > 2 || segments.every((s) => s.length > 1) || segments.some((s) => DISTINCTIVE.test(s));
}

function hasExtension(name: string): boolean {
  return /^.*\.[A-Za-z][A-Za-z0-9]{0,9}$/.test(name);
}

function normalPath(piece: string): string {
  return piece.replace(/[\\/]+/g, '/').replace(/(?<=.)\/$/, '');
}

const UNITS =
  'ms|ns|us|µs|s|sec|min|h|hr|d|k|K|M|G|T|B|b|kb|KB|kB|MB|mb|GB|gb|TB|KiB|MiB|GiB|px|em|rem|vh|vw|pt|%|x|fps|Hz|MHz|GHz';
const ERRNO =
  /^E(?:ACCES|ADDRINUSE|ADDRNOTAVAIL|AGAIN|AI_AGAIN|BADF|BUSY|CANCELED|CONNABORTED|CONNREFUSED|CONNRESET|DESTADDRREQ|DQUOT|EXIST|FAULT|FBIG|HOSTUNREACH|INTEGRITY|INTR|INVAL|IO|ISCONN|ISDIR|LIFECYCLE|LOOP|MFILE|MSGSIZE|NAMETOOLONG|NETDOWN|NETUNREACH|NFILE|NODEV|NOENT|NOEXEC|NOMEM|NOSPC|NOSYS|NOTCONN|NOTDIR|NOTEMPTY|NOTFOUND|NOTSUP|NXIO|OVERFLOW|PERM|PIPE|PROTO|RANGE|RESOLVE|ROFS|SRCH|TIMEDOUT|XDEV)$/;

/** Forms of words with more than letters and digits, in the order in which they are tried; the first that fits counts. */
const FORMS: readonly (readonly [AnchorKind, (word: string) => boolean])[] = [
  ['id', matches(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i)],
  ['number', isNumber],
  ['version', matches(/^[~^]?v?\d+(?:\.\d+){2,}(?:[-+][\w.-]+)?$|^v\d+(?:\.\d+)+(?:[-+][\w.-]+)?$/i)],
  ['flag', matches(/^--?\p{L}[\p{L}\p{N}_-]+$/u)],
  ['id', matches(/^[A-Z][A-Z0-9]*-\d+$/)],
  ['error', matches(/^ERR_[A-Z0-9_]+$/)],
  ['env', matches(/^[$]?[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$|^[$][A-Z][A-Z0-9_]+$|^%[A-Za-z][A-Za-z0-9_]*%$/)],
  ['id', (word) => word.includes('@') && /^[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{2,}$/.test(word)],
  ['identifier', (word) => word.includes('_') && SNAKE.test(word)],
  ['identifier', matches(/^[$]\p{L}[\p{L}\p{N}_]+$/u)],
  ['path', (word) => word.includes('.') && FILE.test(word) && !/^[\d.]+$/.test(word) && !MEMBER.test(word)],
  ['identifier', isDotted],
  ['identifier', isKebab],
];

const SNAKE = /^[$]?_*\p{L}[\p{L}\p{N}]*(?:_+[\p{L}\p{N}]+)+_*$|^_+\p{L}[\p{L}\p{N}]+_*$/u;
const FILE = /^\.?[\p{L}\p{N}_$-]{2,}\.[A-Za-z][A-Za-z0-9]{0,4}$|^\.[A-Za-z][\w-]{2,}$/u;
// Reads like a file with a short ending, but what stands before the dot belongs to the languages themselves.
const MEMBER =
  /^(?:Array|Date|Error|JSON|Map|Math|Number|Object|Promise|React|Reflect|Set|String|Symbol|cls|console|process(?=\.(?:argv|cwd|env|exit|pid)$)|self|super|this)\.(?!(?:cc?|cpp|cs|css|go|h|hpp|html?|java|jsx?|json|kt|md|mjs|php|py|rb|rs|swift|tsx?|txt|vue|xml|ya?ml)$)/;
const NUMBER_WITH_UNIT = new RegExp(`^[$]?\\d+(?:\\.\\d+)?(?:${UNITS})$`);
const CAMEL =
  /^\p{Ll}[\p{Ll}\p{N}]*\p{Lu}[\p{L}\p{N}]*$|^\p{Lu}[\p{Ll}\p{N}]+\p{Lu}[\p{L}\p{N}]*$|^\p{Lu}{2,}\p{Ll}(?!$)[\p{L}\p{N}]*$/u;

function isNumber(word: string): boolean {
  if (!/\d/.test(word)) return false;
  if (NUMBER_WITH_UNIT.test(word)) return true;
  return /^[$]?\d+(?:\.\d+)?$/.test(word) && word.replace(/\D/g, '').length >= 3;
}

function isHash(word: string): boolean {
  return word.length >= 7 && /^[0-9a-f]+$/i.test(word) && /\d/.test(word) && /[a-f]/i.test(word);
}

function matches(form: RegExp): (word: string) => boolean {
  return (word) => form.test(word);
}

// `e.g` and `U.S` are none.
function isDotted(word: string): boolean {
  return /^[\p{L}_$][\p{L}\p{N}_$-]*(?:(?:\.|::)[\p{L}\p{N}_$-]+)+$/u.test(word) && !/^\p{L}(?:\.\p{L})+$/u.test(word);
}

// With a digit, or of three parts.
function isKebab(word: string): boolean {
  if (!/^[\p{L}\p{N}.]+(?:-[\p{L}\p{N}.]+)+$/u.test(word) || !/\p{L}/u.test(word))
    return /^\d{4}-\d{2}-\d{2}$/.test(word);
  return /\d/.test(word) || word.split('-').length > 2;
}

function kindOf(word: string): AnchorKind | null {
  if (word.length < 2 || word.length > RUN_MOST) return null;
  const classes = classesOf(word);
  if ((classes & ~(LOWER | UPPER | INNER | DIGIT)) === 0) return plainKind(word, classes);
  for (const [kind, fits] of FORMS) if (fits(word)) return kind;
  return null;
}

// Of nothing but letters and digits.
function plainKind(word: string, classes: number): AnchorKind | null {
  if ((classes & DIGIT) !== 0) {
    if (classes === DIGIT) return word.length >= 3 ? 'number' : null;
    if (/^\d/.test(word) && (NUMBER_WITH_UNIT.test(word) || /^0x[0-9a-f]{2,}$/i.test(word))) return 'number';
    if (isHash(word)) return 'hash';
    if (/^[A-Z]{1,5}\d{3,5}$/.test(word)) return 'error';
  } else if ((classes & LOWER) === 0) return ERRNO.test(word) ? 'error' : null;
  return (classes & INNER) !== 0 && CAMEL.test(word) ? 'identifier' : null;
}

function classesOf(word: string): number {
  let classes = classAt(word, 0);
  for (let at = 1; at < word.length; at++) {
    const own = classAt(word, at);
    // What ends a run is in none: a sign of which nothing is known.
    classes |= own === UPPER ? UPPER | INNER : own === NO_CLASS ? OTHER : own;
  }
  return classes;
}

const QUOTE = /["'`“«]/g;
const QUOTED_LEAST = 3;
const QUOTED_MOST = 80;
const WORD_CHARACTER = /[\p{L}\p{N}_\\]/u;

// A quotation ends on its line, at the first quote of its kind. Of those whose content begins before `until`; gives where
// reading continues.
function readQuoted(text: string, start: number, until: number, found: Anchor[]): number {
  let next = start;
  for (;;) {
    QUOTE.lastIndex = next;
    const match = QUOTE.exec(text);
    if (match === null) return text.length;
    if (match.index + 1 >= until && until < text.length) return match.index;
    const from = match.index + 1;
    const to = closing(text, from, closingQuote(match[0]));
    next = to === null ? from : to + 1;
    if (to === null || to - from < QUOTED_LEAST) continue;
    if (WORD_CHARACTER.test(text.charAt(from - 2)) || WORD_CHARACTER.test(text.charAt(to + 1))) continue;
    const content = text.slice(from, to);
    if (isQuotable(content)) found.push({ kind: 'quoted', text: content.trim().replace(/\s+/g, ' '), from, to });
  }
}

function closingQuote(quote: string): number {
  if (quote === '“') return 0x201d;
  return quote === '«' ? 0xbb : quote.charCodeAt(0);
}

function closing(text: string, from: number, quote: number): number | null {
  const end = Math.min(text.length, from + QUOTED_MOST + 1);
  for (let at = from; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) return at;
    if (code === 0x0a) return null;
  }
  return null;
}

// What is an anchor by itself is not one once more for being quoted.
function isQuotable(content: string): boolean {
  const { length } = content.trim();
  if (length < QUOTED_LEAST || content.endsWith('\\') || !/[\p{L}\p{N}]/u.test(content)) return false;
  if (/\s/.test(content.trim())) return true;
  const own: Anchor[] = [];
  readRuns(content, 0, content.length, own);
  return !own.some(({ from, to }) => from <= 2 && to >= content.length - 2);
}
