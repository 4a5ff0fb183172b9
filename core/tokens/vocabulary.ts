/**
 * An encoding's vocabulary in typed arrays: token bytes in one blob, and one hash table from bytes to rank.
 * The hash is a polynomial, so the hash of two tokens side by side follows from their own hashes in one
 * multiplication; whether a pair merges is asked without building its bytes. A hit is confirmed byte by byte.
 */
import { assert } from '../util/assert.ts';

/** The ranks as js-tiktoken ships them (`js-tiktoken/ranks/*`): lines of `! firstRank base64 base64 …`. */
export interface EncodingRanks {
  readonly pat_str: string;
  readonly bpe_ranks: string;
}

const FACTOR = 0x5bd1e995;

/** Hash of `bytes[start, end)`, as the vocabulary and the piece cache use it. */
export function hashBytes(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0;
  for (let i = start; i < end; i++) hash = (Math.imul(hash, FACTOR) + bytes[i]! + 1) | 0;
  return hash;
}

/** Spreads a polynomial hash over 32 bits, unsigned; take the upper bits for a slot. */
export function spread(hash: number): number {
  return Math.imul(hash ^ (hash >>> 15), 0x9e3779b1) >>> 0;
}

/** Answers rank questions; a token's id is its rank. Build with {@link parseVocabulary}. */
export class Vocabulary {
  /** Ranks run over [0, size). */
  readonly size: number;
  /** Bytes of the longest token. */
  readonly longest: number;
  /** Rank of each single byte. */
  readonly byteRank: Int32Array;
  readonly #blob: Uint8Array;
  readonly #offsets: Int32Array;
  readonly #hashes: Int32Array;
  readonly #powers: Int32Array;
  readonly #slots: Int32Array;
  readonly #shift: number;

  constructor(blob: Uint8Array, offsets: Int32Array, longest: number) {
    this.size = offsets.length - 1;
    this.longest = longest;
    this.#blob = blob;
    this.#offsets = offsets;
    this.#hashes = new Int32Array(this.size);
    this.#powers = new Int32Array(longest + 1);
    this.#powers[0] = 1;
    for (let n = 1; n <= longest; n++) this.#powers[n] = Math.imul(this.#powers[n - 1]!, FACTOR);
    const bits = Math.ceil(Math.log2(this.size * 2 + 1));
    this.#shift = 32 - bits;
    this.#slots = new Int32Array(2 << bits);
    for (let rank = 0; rank < this.size; rank++) if (offsets[rank] !== offsets[rank + 1]) this.#insert(rank);
    this.byteRank = Int32Array.from({ length: 256 }, (_, byte) => this.rankOf(Uint8Array.of(byte), 0, 1, byte + 1));
    assert(!this.byteRank.includes(-1), 'a vocabulary holds every single byte');
  }

  /** Slots hold (hash, rank + 1) side by side; 0 marks an empty one. */
  #insert(rank: number): void {
    const hash = hashBytes(this.#blob, this.#offsets[rank]!, this.#offsets[rank + 1]!);
    this.#hashes[rank] = hash;
    const mask = this.#slots.length - 1;
    let slot = (spread(hash) >>> this.#shift) << 1;
    while (this.#slots[slot + 1] !== 0) slot = (slot + 2) & mask;
    this.#slots[slot] = hash;
    this.#slots[slot + 1] = rank + 1;
  }

  /** The bytes of a token. */
  bytesOf(rank: number): Uint8Array {
    return this.#blob.subarray(this.#offsets[rank]!, this.#offsets[rank + 1]!);
  }

  /** Rank of `bytes[start, end)`, whose hash is `hash`, or -1. */
  rankOf(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = (spread(hash) >>> this.#shift) << 1; ; slot = (slot + 2) & mask) {
      const rank = slots[slot + 1]! - 1;
      if (rank < 0) return -1;
      if (slots[slot] !== hash) continue;
      if (this.#offsets[rank + 1]! - this.#offsets[rank]! !== end - start) continue;
      if (this.#matches(this.#offsets[rank]!, bytes, start, end)) return rank;
    }
  }

  /** Rank of the token that `left` and `right` make together, or -1. */
  rankOfPair(left: number, right: number): number {
    const offsets = this.#offsets;
    const leftStart = offsets[left]!;
    const leftEnd = offsets[left + 1]!;
    const rightStart = offsets[right]!;
    const rightEnd = offsets[right + 1]!;
    const length = leftEnd - leftStart + rightEnd - rightStart;
    if (length > this.longest) return -1;
    const hash = (Math.imul(this.#hashes[left]!, this.#powers[rightEnd - rightStart]!) + this.#hashes[right]!) | 0;
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = (spread(hash) >>> this.#shift) << 1; ; slot = (slot + 2) & mask) {
      const rank = slots[slot + 1]! - 1;
      if (rank < 0) return -1;
      if (slots[slot] !== hash) continue;
      const at = offsets[rank]!;
      if (offsets[rank + 1]! - at !== length) continue;
      if (!this.#matches(at, this.#blob, leftStart, leftEnd)) continue;
      if (this.#matches(at + leftEnd - leftStart, this.#blob, rightStart, rightEnd)) return rank;
    }
  }

  #matches(at: number, bytes: Uint8Array, start: number, end: number): boolean {
    const blob = this.#blob;
    for (let i = start, j = at; i < end; i++, j++) if (bytes[i] !== blob[j]) return false;
    return true;
  }
}

const BASE64 = new Uint8Array(128).fill(255);
for (const [value, char] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries()) {
  BASE64[char.charCodeAt(0)] = value;
}

/** Decodes base64 text[start, end) into `blob` at `at`; returns the end of what it wrote. */
function decodeToken(text: string, start: number, end: number, blob: Uint8Array, at: number): number {
  let out = at;
  let bits = 0;
  let held = 0;
  for (let i = start; i < end; i++) {
    const value = BASE64[text.charCodeAt(i)]!;
    if (value === 255) break;
    bits = ((bits << 6) | value) & 0xffff;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    blob[out++] = (bits >> held) & 255;
  }
  return out;
}

/** Reads js-tiktoken's rank text. Ranks must ascend from 0 (a gap becomes empty tokens); anything else throws. */
export function parseVocabulary(ranks: EncodingRanks): Vocabulary {
  const text = ranks.bpe_ranks;
  const blob = new Uint8Array(Math.ceil((text.length * 3) / 4));
  const ends: number[] = [0];
  let longest = 0;
  let at = 0;
  for (let lineStart = 0; lineStart < text.length; ) {
    const newline = text.indexOf('\n', lineStart);
    const lineEnd = newline < 0 ? text.length : newline;
    const offsetEnd = text.indexOf(' ', lineStart + 2);
    const offset = Number.parseInt(text.slice(lineStart + 2, offsetEnd), 10);
    assert(text.startsWith('! ', lineStart) && offset >= ends.length - 1, 'rank lines ascend');
    while (ends.length - 1 < offset) ends.push(at);
    for (let start = offsetEnd + 1; start < lineEnd; ) {
      const space = text.indexOf(' ', start);
      const end = space < 0 || space > lineEnd ? lineEnd : space;
      const tokenEnd = decodeToken(text, start, end, blob, at);
      longest = Math.max(longest, tokenEnd - at);
      at = tokenEnd;
      ends.push(at);
      start = end + 1;
    }
    lineStart = lineEnd + 1;
  }
  return new Vocabulary(blob.slice(0, at), Int32Array.from(ends), longest);
}
