/**
 * Byte pair merging: of all neighbours that make a token together, the pair of lowest rank merges first, the
 * leftmost of equals; until none is left. Two ways to the same count: short pieces by looking through all pairs,
 * long ones by buckets.
 */
import { assert } from '../util/assert.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Pieces up to this many bytes are merged by looking through all pairs, at most 64² / 2 looks. */
export const SHORT_PIECE = 64;

const NONE = -1;
const NO_RANK = 0x7fffffff;
const KEPT_LENGTH = 1 << 16;
/** A sweep costs a look at every part, and takes away at least one in twice this many: sweeps are linear together. */
const SWEEP_SHARE = 8;

/** Merges pieces of up to {@link SHORT_PIECE} bytes. */
export class ShortMerger {
  /** Pairs looked at or ranked so far, for tests of the amount of work. */
  steps = 0;
  readonly #vocabulary: Vocabulary;
  readonly #ids = new Int32Array(SHORT_PIECE);
  readonly #ranks = new Int32Array(SHORT_PIECE);

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
  }

  /** Number of tokens of `bytes[start, end)`, not empty. */
  count(bytes: Uint8Array, start: number, end: number): number {
    const ids = this.#ids;
    const ranks = this.#ranks;
    let length = end - start;
    for (let i = 0; i < length; i++) ids[i] = this.#vocabulary.byteRank[bytes[start + i]!]!;
    for (let i = 0; i + 1 < length; i++) ranks[i] = this.#rankAt(i);
    for (;;) {
      let best = -1;
      let bestRank = NO_RANK;
      for (let i = 0; i + 1 < length; i++) {
        if (ranks[i]! >= bestRank) continue;
        bestRank = ranks[i]!;
        best = i;
      }
      this.steps += length;
      if (best < 0) return length;
      length--;
      ids[best] = bestRank;
      for (let i = best + 1; i < length; i++) {
        ids[i] = ids[i + 1]!;
        ranks[i] = ranks[i + 1]!;
      }
      if (best + 1 < length) ranks[best] = this.#rankAt(best);
      if (best > 0) ranks[best - 1] = this.#rankAt(best - 1);
    }
  }

  #rankAt(i: number): number {
    const rank = this.#vocabulary.rankOfPair(this.#ids[i]!, this.#ids[i + 1]!);
    return rank < 0 ? NO_RANK : rank;
  }
}

/**
 * Merges pieces of any length in n log n. While one rank makes up a good part of all pairs (a run of one character),
 * all its pairs merge in one sweep over a plain array. Then every pair is in the bucket (a doubly linked list) of
 * its rank, a heap holds the ranks whose bucket is not empty, and a bucket is emptied from left to right.
 * This rests on the merged ranks only ever ascending: a merge makes no pair of the same rank (it is longer), and none
 * of a lower one, because in both vocabularies every token is reached from its own bytes by merges of ascending rank
 * (a test goes through them all): a lower pair would be a token whose merging had stopped half-way.
 */
export class LongMerger {
  /** Pairs ranked, bucket entries moved and heap steps so far, for tests of the amount of work. */
  steps = 0;
  readonly #vocabulary: Vocabulary;
  /** First pair in the bucket of a rank, by position of its left part. Empty between calls. */
  readonly #bucket: Int32Array;
  /** Min-heap of ranks; may hold a rank whose bucket has become empty, or twice. */
  readonly #heap: number[] = [];
  #ids = new Int32Array(0);
  #prev = new Int32Array(0);
  #next = new Int32Array(0);
  /** Rank of the pair that begins at a position, NONE where there is none. */
  #rank = new Int32Array(0);
  #bucketPrev = new Int32Array(0);
  #bucketNext = new Int32Array(0);
  #pending = new Int32Array(0);
  #length = 0;
  #parts = 0;
  /** The last pair asked for and its rank: in a run of one character nearly every question is the one before. */
  #askedLeft = NONE;
  #askedRight = NONE;
  #answer = NONE;

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
    this.#bucket = new Int32Array(vocabulary.size).fill(NONE);
  }

  /** Number of tokens of `bytes[start, end)`, not empty. */
  count(bytes: Uint8Array, start: number, end: number): number {
    this.#begin(bytes, start, end);
    for (let rank = this.#dominantRank(); rank !== NONE; rank = this.#dominantRank()) this.#sweep(rank);
    this.#link();
    while (this.#heap.length > 0) this.#drain(this.#popRank());
    const parts = this.#parts;
    if (this.#ids.length > KEPT_LENGTH) this.#allocateParts(0);
    if (this.#next.length > KEPT_LENGTH) this.#allocateLinks(0);
    return parts;
  }

  #allocateParts(length: number): void {
    this.#ids = new Int32Array(length);
    this.#rank = new Int32Array(length);
  }

  #allocateLinks(length: number): void {
    this.#prev = new Int32Array(length);
    this.#next = new Int32Array(length);
    this.#bucketPrev = new Int32Array(length);
    this.#bucketNext = new Int32Array(length);
    this.#pending = new Int32Array(length);
  }

  #begin(bytes: Uint8Array, start: number, end: number): void {
    const length = end - start;
    if (this.#ids.length < length) this.#allocateParts(Math.max(length, Math.min(KEPT_LENGTH, length * 2)));
    this.#parts = length;
    this.steps += length;
    for (let i = 0; i < length; i++) {
      this.#ids[i] = this.#vocabulary.byteRank[bytes[start + i]!]!;
      if (i > 0) this.#rank[i - 1] = this.#rankOf(this.#ids[i - 1]!, this.#ids[i]!);
    }
    this.#rank[length - 1] = NONE;
  }

  /** The lowest rank, if at least one pair in {@link SWEEP_SHARE} has it and there are enough for it to matter. */
  #dominantRank(): number {
    const parts = this.#parts;
    if (parts < SHORT_PIECE) return NONE;
    let lowest = NO_RANK;
    let count = 0;
    for (let i = 0; i < parts; i++) {
      const rank = this.#rank[i]!;
      if (rank === lowest) count++;
      if (rank >= lowest || rank === NONE) continue;
      lowest = rank;
      count = 1;
    }
    this.steps += parts;
    return count * SWEEP_SHARE < parts ? NONE : lowest;
  }

  /** Merges all pairs of `rank`, the lowest, from left to right, in place. */
  #sweep(rank: number): void {
    const ids = this.#ids;
    const ranks = this.#rank;
    const parts = this.#parts;
    let out = 0;
    let isNew = false;
    for (let i = 0; i < parts; out++) {
      const wasNew = isNew;
      isNew = ranks[i] === rank;
      const rankAfter = ranks[i]!;
      ids[out] = isNew ? rank : ids[i]!;
      i += isNew ? 2 : 1;
      if (out > 0 && (isNew || wasNew)) {
        const before = this.#rankOf(ids[out - 1]!, ids[out]!);
        assert(before === NONE || before > rank, 'merged ranks ascend');
        ranks[out - 1] = before;
      }
      ranks[out] = rankAfter;
    }
    ranks[out - 1] = NONE;
    this.steps += parts;
    this.#parts = out;
  }

  /** Puts what is left into buckets, from the right, so that every bucket begins in ascending order. */
  #link(): void {
    const length = this.#parts;
    if (this.#next.length < length) this.#allocateLinks(Math.max(length, Math.min(KEPT_LENGTH, length * 2)));
    this.#length = length;
    for (let i = length - 1; i >= 0; i--) {
      this.#prev[i] = i - 1;
      this.#next[i] = i + 1;
      if (this.#rank[i] !== NONE) this.#enter(i, this.#rank[i]!);
    }
    this.steps += length;
  }

  #enter(i: number, rank: number): void {
    const first = this.#bucket[rank]!;
    this.#bucketPrev[i] = NONE;
    this.#bucketNext[i] = first;
    if (first !== NONE) this.#bucketPrev[first] = i;
    else this.#pushRank(rank);
    this.#bucket[rank] = i;
  }

  /** Ranks the pair that begins at `i`, new from a merge of rank `merged`, and puts it in its bucket. */
  #rankPair(i: number, merged: number): void {
    this.steps++;
    const right = this.#next[i]!;
    const rank = right < this.#length ? this.#rankOf(this.#ids[i]!, this.#ids[right]!) : NONE;
    this.#rank[i] = rank;
    if (rank === NONE) return;
    assert(rank > merged, 'merged ranks ascend');
    this.#enter(i, rank);
  }

  #rankOf(left: number, right: number): number {
    if (left !== this.#askedLeft || right !== this.#askedRight) {
      this.#answer = this.#vocabulary.rankOfPair(left, right);
      this.#askedLeft = left;
      this.#askedRight = right;
    }
    return this.#answer;
  }

  /** Takes the pair that begins at `i` out of its bucket, unless that bucket is the one being drained. */
  #unrank(i: number, draining: number): void {
    const rank = this.#rank[i]!;
    this.#rank[i] = NONE;
    if (rank === NONE || rank === draining) return;
    const before = this.#bucketPrev[i]!;
    const after = this.#bucketNext[i]!;
    if (before === NONE) this.#bucket[rank] = after;
    else this.#bucketNext[before] = after;
    if (after !== NONE) this.#bucketPrev[after] = before;
  }

  /** Empties the bucket of `rank` into `pending`, ascending; returns how many there are. */
  #collect(rank: number): number {
    const pending = this.#pending;
    let count = 0;
    let ascending = true;
    let descending = true;
    for (let i = this.#bucket[rank]!; i !== NONE; i = this.#bucketNext[i]!) {
      if (count > 0 && i < pending[count - 1]!) ascending = false;
      else if (count > 0) descending = false;
      pending[count++] = i;
    }
    this.#bucket[rank] = NONE;
    this.steps += count;
    if (!ascending && descending) pending.subarray(0, count).reverse();
    else if (!ascending) {
      pending.subarray(0, count).sort();
      this.steps += count * Math.ceil(Math.log2(count));
    }
    return count;
  }

  #drain(rank: number): void {
    const count = this.#collect(rank);
    for (let n = 0; n < count; n++) {
      const left = this.#pending[n]!;
      if (this.#rank[left] === rank) this.#merge(left, rank);
    }
  }

  /** Merges the pair that begins at `left` into the token `rank`. */
  #merge(left: number, rank: number): void {
    const right = this.#next[left]!;
    this.#unrank(left, rank);
    this.#unrank(right, rank);
    const after = this.#next[right]!;
    this.#ids[left] = rank;
    this.#next[left] = after;
    if (after < this.#length) this.#prev[after] = left;
    this.#parts--;
    this.#rankPair(left, rank);
    const before = this.#prev[left]!;
    if (before < 0) return;
    this.#unrank(before, rank);
    this.#rankPair(before, rank);
  }

  #pushRank(rank: number): void {
    const heap = this.#heap;
    let i = heap.length;
    heap.push(rank);
    for (; i > 0; this.steps++) {
      const parent = (i - 1) >> 1;
      if (heap[parent]! <= rank) break;
      heap[i] = heap[parent]!;
      i = parent;
    }
    heap[i] = rank;
  }

  #popRank(): number {
    const heap = this.#heap;
    const top = heap[0]!;
    const moved = heap.pop()!;
    if (heap.length === 0) return top;
    let i = 0;
    for (; ; this.steps++) {
      let child = 2 * i + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && heap[child + 1]! < heap[child]!) child++;
      if (heap[child]! >= moved) break;
      heap[i] = heap[child]!;
      i = child;
    }
    heap[i] = moved;
    return top;
  }
}
