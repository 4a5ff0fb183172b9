import { expect, test } from 'vitest';
import { NumberMap } from '../../core/util/numberMap.ts';
import { seededRng } from '../../core/util/rng.ts';

test('it holds what a Map holds, whatever the keys', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const rng = seededRng(seed);
    const [map, oracle] = [new NumberMap(), new Map<number, number>()];
    const key = () => {
      const kind = rng.below(4);
      if (kind === 0) return rng.below(50);
      if (kind === 1) return -rng.below(1000);
      // Equal low or high halves: they must not all fall on one place.
      if (kind === 2) return rng.below(2000) * 0x100000000;
      return rng.below(0x1fffff) * 0x100000000 + rng.below(0xffffffff);
    };
    for (let i = 0; i < 5000; i++) {
      const [at, value] = [key(), rng.below(1_000_000) - 500_000];
      expect(map.get(at), `seed ${seed}, step ${i}`).toBe(oracle.get(at));
      map.set(at, value);
      oracle.set(at, value);
    }
    expect(map.size).toBe(oracle.size);
    for (const [at, value] of oracle) expect(map.get(at), `seed ${seed}`).toBe(value);
  }
});
