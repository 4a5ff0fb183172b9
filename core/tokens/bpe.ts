/**
 * Exact token counts: text → UTF-8 chunks → pieces (split.ts) → tokens (vocabulary.ts; merge.ts where a piece is no
 * token itself). Counts equal js-tiktoken's `encode(text, [], []).length` on every input: the text of a special
 * token counts as ordinary text, a lone surrogate as U+FFFD.
 */
import { LongMerger, SHORT_PIECE, ShortMerger } from './merge.ts';
import { CACHED_PIECE, PieceCache } from './pieceCache.ts';
import { type PieceEnd, safeCut } from './split.ts';
import { hashBytes, type Vocabulary } from './vocabulary.ts';

/** UTF-16 units encoded at a time; a chunk is longer only where no safe cut is found. */
const CHUNK = 1 << 14;
const KEPT_BUFFER = CHUNK * 4;
/** Up to this length a loop of our own is faster than TextEncoder. */
const SHORT_TEXT = 96;

/** How much work a counter has done since it was made; for tests and profiles. */
export interface BpeWork {
  readonly pieces: number;
  /** Pieces that were neither a token nor in the piece cache. */
  readonly merged: number;
  readonly mergeSteps: number;
}

/** Counts tokens of one encoding. Not re-entrant (it owns scratch memory), never asynchronous. */
export class BpeCounter {
  readonly #vocabulary: Vocabulary;
  readonly #pieceEnd: PieceEnd;
  readonly #cache = new PieceCache();
  readonly #short: ShortMerger;
  readonly #long: LongMerger;
  readonly #encoder = new TextEncoder();
  #buffer = new Uint8Array(KEPT_BUFFER);
  #pieces = 0;
  #merged = 0;

  constructor(vocabulary: Vocabulary, pieceEnd: PieceEnd) {
    this.#vocabulary = vocabulary;
    this.#pieceEnd = pieceEnd;
    this.#short = new ShortMerger(vocabulary);
    this.#long = new LongMerger(vocabulary);
  }

  /** Number of tokens of `text`; linear in its length but for pieces over 64 bytes, which are n log n. */
  count(text: string): number {
    if (text.length <= SHORT_TEXT) return this.#countBytes(this.#encodeShort(text));
    let total = 0;
    for (let from = 0; from < text.length; ) {
      const to = safeCut(text, from, from + CHUNK);
      total += this.#countBytes(this.#encode(from === 0 && to === text.length ? text : text.slice(from, to)));
      from = to;
    }
    if (this.#buffer.length > KEPT_BUFFER) this.#buffer = new Uint8Array(KEPT_BUFFER);
    return total;
  }

  /** Work done so far. */
  get work(): BpeWork {
    return { pieces: this.#pieces, merged: this.#merged, mergeSteps: this.#short.steps + this.#long.steps };
  }

  #encodeShort(text: string): number {
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code >= 0x80) return this.#encode(text);
      this.#buffer[i] = code;
    }
    return text.length;
  }

  /** Writes `text` to the buffer as UTF-8; returns its length in bytes. */
  #encode(text: string): number {
    if (this.#buffer.length < text.length * 3) this.#buffer = new Uint8Array(text.length * 3);
    return this.#encoder.encodeInto(text, this.#buffer).written;
  }

  #countBytes(limit: number): number {
    const bytes = this.#buffer;
    const pieceEnd = this.#pieceEnd;
    let total = 0;
    for (let start = 0; start < limit; ) {
      const end = pieceEnd(bytes, start, limit);
      total += end - start === 1 ? 1 : this.#countPiece(bytes, start, end);
      this.#pieces++;
      start = end;
    }
    return total;
  }

  #countPiece(bytes: Uint8Array, start: number, end: number): number {
    const length = end - start;
    if (length > this.#vocabulary.longest) {
      this.#merged++;
      return this.#long.count(bytes, start, end);
    }
    const hash = hashBytes(bytes, start, end);
    if (this.#vocabulary.rankOf(bytes, start, end, hash) >= 0) return 1;
    const kept = length <= CACHED_PIECE ? this.#cache.get(bytes, start, end, hash) : 0;
    if (kept > 0) return kept;
    this.#merged++;
    const count = (length <= SHORT_PIECE ? this.#short : this.#long).count(bytes, start, end);
    if (length <= CACHED_PIECE) this.#cache.set(bytes, start, end, hash, count);
    return count;
  }
}
