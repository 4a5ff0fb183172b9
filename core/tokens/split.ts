/**
 * The pre-tokenisers of o200k_base and cl100k_base, written out by hand over UTF-8 bytes: where the piece that
 * begins at `i` ends. Each function is its encoding's pattern (`pat_str` in js-tiktoken's ranks), alternative by
 * alternative, with the backtracking worked out; a test holds them against the pattern itself. Every byte is looked
 * at a bounded number of times, whereas the regex is quadratic on some runs of white space.
 * A lone surrogate reaches us as U+FFFD: other bytes, but for the pattern the same class (neither letter, number nor
 * space), so pieces end at the same places.
 */
import { ASCII, classAt, LETTER, LOWER, NEWLINE, NUMBER, SPACE, UPPER, widthOf } from './charClass.ts';

/** End (exclusive, in bytes) of the piece that begins at `i`; `i < limit`, and `limit` is the end of the text. */
export type PieceEnd = (bytes: Uint8Array, i: number, limit: number) => number;

const NOT_OTHER = LETTER | NUMBER | SPACE;
const LF = 0x0a;
const CR = 0x0d;
const BLANK = 0x20;
const APOSTROPHE = 0x27;
const SLASH = 0x2f;

/** The end of the run of characters that have a flag of `mask`. */
function skipClass(bytes: Uint8Array, from: number, limit: number, mask: number): number {
  let i = from;
  while (i < limit) {
    const lead = bytes[i]!;
    if (lead < 0x80) {
      if ((ASCII[lead]! & mask) === 0) return i;
      i++;
    } else {
      if ((classAt(bytes, i) & mask) === 0) return i;
      i += widthOf(lead);
    }
  }
  return i;
}

/** `[^\s\p{L}\p{N}]*`. */
function skipOther(bytes: Uint8Array, from: number, limit: number): number {
  let i = from;
  while (i < limit && (classAt(bytes, i) & NOT_OTHER) === 0) i += widthOf(bytes[i]!);
  return i;
}

/** `\p{N}{1,3}`, the first being known. */
function numberEnd(bytes: Uint8Array, i: number, limit: number): number {
  let end = i + widthOf(bytes[i]!);
  for (let n = 1; n < 3 && end < limit && (classAt(bytes, end) & NUMBER) !== 0; n++) end += widthOf(bytes[end]!);
  return end;
}

/** `\s*[\r\n]+|\s+(?!\S)|\s+`: to the last newline; else all but the last space before a word; else all. */
function spaceEnd(bytes: Uint8Array, from: number, limit: number): number {
  let i = from;
  let afterNewline = -1;
  let last = from;
  while (i < limit) {
    const flags = classAt(bytes, i);
    if ((flags & SPACE) === 0) break;
    last = i;
    i += widthOf(bytes[i]!);
    if ((flags & NEWLINE) !== 0) afterNewline = i;
  }
  if (afterNewline >= 0) return afterNewline;
  return i === limit || last === from ? i : last;
}

/** The end of `'s|'t|'re|'ve|'m|'ll|'d` in either case at `i`, or `i` if none is there. */
function contractionEnd(bytes: Uint8Array, i: number, limit: number): number {
  if (i + 1 >= limit || bytes[i] !== APOSTROPHE) return i;
  const first = bytes[i + 1]! | 0x20;
  if (first === 0x73 || first === 0x74 || first === 0x6d || first === 0x64) return i + 2;
  if (i + 2 >= limit) return i;
  const second = bytes[i + 2]! | 0x20;
  if (second === 0x65 && (first === 0x72 || first === 0x76)) return i + 3;
  return second === 0x6c && first === 0x6c ? i + 3 : i;
}

/** ` ?[^\s\p{L}\p{N}]+[\r\n]*` (with `/` in the tail where `slash`), or white space. The first is not a letter or number. */
function restEnd(bytes: Uint8Array, i: number, limit: number, slash: boolean): number {
  const isSpace = (classAt(bytes, i) & SPACE) !== 0;
  const from = isSpace && bytes[i] === BLANK ? i + 1 : i;
  if (isSpace && from === i) return spaceEnd(bytes, i, limit);
  let end = skipOther(bytes, from, limit);
  if (end === from) return spaceEnd(bytes, i, limit);
  while (end < limit) {
    const byte = bytes[end]!;
    if (byte !== LF && byte !== CR && !(slash && byte === SLASH)) break;
    end++;
  }
  return end;
}

/**
 * `UPPER*LOWER+` from `from`: its end, or ~(end of the UPPER run) where it does not match. If no LOWER follows the
 * run, the pattern gives characters back until one that is both; that one ends the match.
 */
function wordEnd(bytes: Uint8Array, from: number, limit: number): number {
  let i = from;
  let afterBoth = -1;
  while (i < limit) {
    const flags = classAt(bytes, i);
    if ((flags & UPPER) === 0) {
      if ((flags & LOWER) !== 0) return skipClass(bytes, i, limit, LOWER);
      break;
    }
    i += widthOf(bytes[i]!);
    if ((flags & LOWER) !== 0) afterBoth = i;
  }
  return afterBoth >= 0 ? afterBoth : ~i;
}

/** o200k_base. A mark (\p{M}) is not a letter, but may be in a word, before one, or be one by itself. */
export const o200kPieceEnd: PieceEnd = (bytes, i, limit) => {
  const flags = classAt(bytes, i);
  if ((flags & NUMBER) !== 0) return numberEnd(bytes, i, limit);
  if ((flags & LETTER) !== 0) {
    const end = wordEnd(bytes, i, limit);
    return contractionEnd(bytes, end < 0 ? ~end : end, limit);
  }
  if ((flags & NEWLINE) === 0) {
    const next = i + widthOf(bytes[i]!);
    const isMark = (flags & UPPER) !== 0;
    if (next < limit && (classAt(bytes, next) & (UPPER | LOWER)) !== 0) {
      const end = wordEnd(bytes, next, limit);
      if (end >= 0) return contractionEnd(bytes, end, limit);
      return isMark ? next : contractionEnd(bytes, ~end, limit);
    }
    if (isMark) return contractionEnd(bytes, next, limit);
  }
  return restEnd(bytes, i, limit, true);
};

/** cl100k_base: contractions are separate pieces, a word is a run of letters with at most one sign before it. */
export const cl100kPieceEnd: PieceEnd = (bytes, i, limit) => {
  const contraction = contractionEnd(bytes, i, limit);
  if (contraction > i) return contraction;
  const flags = classAt(bytes, i);
  if ((flags & NUMBER) !== 0) return numberEnd(bytes, i, limit);
  if ((flags & LETTER) !== 0) return skipClass(bytes, i, limit, LETTER);
  if ((flags & NEWLINE) === 0) {
    const next = i + widthOf(bytes[i]!);
    const end = skipClass(bytes, next, limit, LETTER);
    if (end > next) return end;
  }
  return restEnd(bytes, i, limit, false);
};

function isAsciiWord(code: number): boolean {
  return code < 0x80 && (ASCII[code]! & (LETTER | NUMBER)) !== 0;
}

/**
 * A place to cut `text` near `target` (UTF-16 index, > `from`) such that both sides split as they do together, or
 * `text.length`. Between an ASCII letter or digit and a blank or LF a piece always ends, nothing before looks past
 * it, and no pattern looks behind; so chunks count like the whole, and memory stays that of a chunk.
 */
export function safeCut(text: string, from: number, target: number): number {
  const isCut = (i: number): boolean => {
    const code = text.charCodeAt(i);
    return (code === BLANK || code === LF) && isAsciiWord(text.charCodeAt(i - 1));
  };
  if (target >= text.length) return text.length;
  for (let i = target; i > from; i--) if (isCut(i)) return i;
  for (let i = target + 1; i < text.length; i++) if (isCut(i)) return i;
  return text.length;
}
