import { describe, expect, test } from 'vitest';
import { loadEncoding } from '../../core/tokens/counters.ts';
import { LongMerger, SHORT_PIECE, ShortMerger } from '../../core/tokens/merge.ts';
import { parseVocabulary, type Vocabulary } from '../../core/tokens/vocabulary.ts';
import { ENCODINGS, RANKS, seeded } from './oracle.ts';

/** The slow, obvious merging: the ranks it merges, in order. */
function mergedRanks(vocabulary: Vocabulary, bytes: Uint8Array): number[] {
  const ids = [...bytes].map((byte) => vocabulary.byteRank[byte]!);
  const merged: number[] = [];
  for (;;) {
    let best = -1;
    let lowest = Number.POSITIVE_INFINITY;
    for (let i = 0; i + 1 < ids.length; i++) {
      const rank = vocabulary.rankOfPair(ids[i]!, ids[i + 1]!);
      if (rank < 0 || rank >= lowest) continue;
      lowest = rank;
      best = i;
    }
    if (best < 0) return merged;
    ids.splice(best, 2, lowest);
    merged.push(lowest);
  }
}

describe.each(ENCODINGS)('merging in %s', (id) => {
  const vocabulary = parseVocabulary(RANKS[id]);

  test('buckets and looking through all pairs agree on random bytes', () => {
    const short = new ShortMerger(vocabulary);
    const long = new LongMerger(vocabulary);
    for (let seed = 1; seed <= 4000; seed++) {
      const next = seeded(seed);
      const spread = [2, 4, 26, 128, 256][seed % 5] ?? 26;
      const bytes = Uint8Array.from({ length: 1 + next(SHORT_PIECE) }, () => (97 + next(spread)) & 255);
      const want = short.count(bytes, 0, bytes.length);
      expect(long.count(bytes, 0, bytes.length), `seed ${seed}: ${bytes.join()}`).toBe(want);
    }
  });

  test('agree on tokens side by side', () => {
    const short = new ShortMerger(vocabulary);
    const long = new LongMerger(vocabulary);
    for (let seed = 1; seed <= 6000; seed++) {
      const next = seeded(seed);
      const bytes = [0, 1, 2, 3].flatMap(() => [...vocabulary.bytesOf(next(vocabulary.size))]).slice(0, SHORT_PIECE);
      const piece = Uint8Array.from(bytes);
      expect(long.count(piece, 0, piece.length), `seed ${seed}`).toBe(short.count(piece, 0, piece.length));
    }
  });

  // What LongMerger rests on: see there.
  test('merging reaches every token from its bytes, by ascending ranks', () => {
    for (let rank = 0; rank < vocabulary.size; rank++) {
      const bytes = vocabulary.bytesOf(rank);
      if (bytes.length < 2) continue;
      const merged = mergedRanks(vocabulary, bytes);
      if (merged.at(-1) !== rank) throw new Error(`${rank} (${bytes.join()}) is not reached: ${merged.join()}`);
      if (merged.some((next, n) => n > 0 && next < merged[n - 1]!)) throw new Error(`${rank}: ${merged.join()}`);
    }
    expect(vocabulary.size).toBeGreaterThan(100_000);
  });

  test('sweeps and buckets agree with looking through all pairs on long runs', () => {
    const long = new LongMerger(vocabulary);
    for (let seed = 1; seed <= 300; seed++) {
      const next = seeded(seed);
      const bytes: number[] = [];
      while (bytes.length < SHORT_PIECE + next(200)) {
        const byte = [97, 98, 32, 61, 10, 0xe4][next(6)] ?? 97;
        for (let run = 1 + next(seed % 2 ? 60 : 4); run > 0; run--) bytes.push(byte);
      }
      const piece = Uint8Array.from(bytes);
      const want = bytes.length - mergedRanks(vocabulary, piece).length;
      expect(long.count(piece, 0, piece.length), `seed ${seed}: ${bytes.join()}`).toBe(want);
    }
  });

  test.each(['a', '=', ' ', '\n', '的', 'é', 'ab', '-=', '不知道的世界'])(
    'the work on a run of %j grows no faster than n log n',
    async (unit) => {
      const counter = await loadEncoding(id);
      const work = (length: number): number => {
        const before = counter.work.mergeSteps;
        counter.count(unit.repeat(Math.ceil(length / unit.length)));
        return counter.work.mergeSteps - before;
      };
      const half = work(100_000);
      const whole = work(200_000);
      expect(whole).toBeLessThan(2.3 * half + 1000);
      expect(whole).toBeLessThan(2 * 3 * 200_000 * Math.log2(200_000));
    },
  );
});
