import { describe, expect, it } from 'vitest';
import { IntLists } from '../../core/util/intLists.ts';
import { seededRng } from '../../core/util/rng.ts';

describe('IntLists', () => {
  it('holds what was pushed to each list, in order', () => {
    const rng = seededRng(7);
    const lists = new IntLists();
    const expected = new Map<number, number[]>();
    for (let nth = 0; nth < 20_000; nth++) {
      const list = rng.chance(0.3) ? rng.below(5) : rng.below(5_000);
      lists.push(list, nth);
      expected.set(list, [...(expected.get(list) ?? []), nth]);
      if (nth % 6_000 === 0) lists.pack();
    }
    for (let list = 0; list < 5_000; list++) {
      const start = lists.start(list);
      expect([...lists.pool.slice(start, start + lists.count(list))]).toEqual(expected.get(list) ?? []);
    }
  });

  it('knows lists that were never pushed to as empty', () => {
    expect(new IntLists().count(1_000_000)).toBe(0);
  });
});
