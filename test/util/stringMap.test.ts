import { expect, test } from 'vitest';
import { seededRng } from '../../core/util/rng.ts';
import { StringMap } from '../../core/util/stringMap.ts';

test('it holds what a Map holds, whatever the keys', () => {
  const rng = seededRng(3);
  const [map, oracle] = [new StringMap<number>(), new Map<string, number>()];
  for (let nth = 0; nth < 20_000; nth++) {
    const key = rng.chance(0.2) ? 'x'.repeat(rng.below(20)) : rng.below(5_000).toString(36);
    expect(map.get(key)).toBe(oracle.get(key));
    map.set(key, nth);
    oracle.set(key, nth);
  }
  for (const [key, value] of oracle) expect(map.get(key)).toBe(value);
});
