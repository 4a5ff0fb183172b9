import { spread } from './vocabulary.ts';

/** Longest piece, in bytes, that is kept. */
export const CACHED_PIECE = 32;
const SLOT_BITS = 15;
const SLOTS = 1 << SLOT_BITS;

/** Upper bound of the memory of one cache, in bytes, allocated on first use: 32,768 slots of 38 bytes. */
export const PIECE_CACHE_BYTES = SLOTS * (CACHED_PIECE + 4 + 1 + 1);

/**
 * Token counts of pieces that needed merging: one slot per hash, a newcomer takes the place of what was there.
 * Bytes are compared, so an answer is always right; memory is fixed ({@link PIECE_CACHE_BYTES}).
 */
export class PieceCache {
  #bytes = new Uint8Array(0);
  #hashes = new Int32Array(0);
  #lengths = new Uint8Array(0);
  #counts = new Uint8Array(0);

  /** The count kept for `bytes[start, end)` (at most {@link CACHED_PIECE} long, hash as by `hashBytes`), or 0. */
  get(bytes: Uint8Array, start: number, end: number, hash: number): number {
    if (this.#hashes.length === 0) return 0;
    const slot = spread(hash) >>> (32 - SLOT_BITS);
    if (this.#hashes[slot] !== hash || this.#lengths[slot] !== end - start) return 0;
    for (let i = start, j = slot * CACHED_PIECE; i < end; i++, j++) if (this.#bytes[j] !== bytes[i]) return 0;
    return this.#counts[slot]!;
  }

  /** Keeps a count, 1 to {@link CACHED_PIECE}. */
  set(bytes: Uint8Array, start: number, end: number, hash: number, count: number): void {
    if (this.#hashes.length === 0) this.#allocate();
    const slot = spread(hash) >>> (32 - SLOT_BITS);
    this.#hashes[slot] = hash;
    this.#lengths[slot] = end - start;
    this.#counts[slot] = count;
    for (let i = start, j = slot * CACHED_PIECE; i < end; i++, j++) this.#bytes[j] = bytes[i]!;
  }

  #allocate(): void {
    this.#bytes = new Uint8Array(SLOTS * CACHED_PIECE);
    this.#hashes = new Int32Array(SLOTS);
    this.#lengths = new Uint8Array(SLOTS);
    this.#counts = new Uint8Array(SLOTS);
  }
}
