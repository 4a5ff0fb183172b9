import { describe, expect, test } from 'vitest';
import { loadEncoding } from '../../core/tokens/counters.ts';
import { LongMerger, SHORT_PIECE, ShortMerger } from '../../core/tokens/merge.ts';
import { parseVocabulary } from '../../core/tokens/vocabulary.ts';
import { ENCODINGS, RANKS, seeded } from './oracle.ts';

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

  // If every token is reached from its bytes by merges of ascending rank, so is every piece: a new pair of a rank
  // already passed would be a token whose own merging stopped short of it. Hence no bucket waits, hence n log n.
  test('merging reaches every token from its bytes, in order of rank', () => {
    const long = new LongMerger(vocabulary);
    let unreached = 0;
    for (let rank = 0; rank < vocabulary.size; rank++) {
      const bytes = vocabulary.bytesOf(rank);
      if (bytes.length > 0 && long.count(bytes, 0, bytes.length) !== 1) unreached++;
    }
    expect(unreached).toBe(0);
    expect(long.interruptions).toBe(0);
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
