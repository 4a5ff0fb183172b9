import { describe, expect, it } from 'vitest';
import { Fenwick } from '../../core/util/fenwick.ts';
import { seededRng } from '../../core/util/rng.ts';

describe('sums over numbers that change', () => {
  it.each([0, 1, 2, 7, 8, 9, 100])('of %i numbers are those of a plain list', (length) => {
    const rng = seededRng(length + 1);
    const fenwick = new Fenwick(length);
    const plain = Array.from({ length }, () => 0);
    for (let run = 0; run < 60; run++) {
      if (length > 0) {
        const at = rng.below(length);
        const value = rng.below(4) - Math.min(plain[at]!, 1);
        plain[at]! += value;
        fenwick.add(at, value);
      }
      const sums = [0];
      for (const value of plain) sums.push(sums.at(-1)! + value);
      for (let at = 0; at <= length; at++) expect(fenwick.before(at), `replay: ${length}, run ${run}`).toBe(sums[at]);
      for (let sum = 0; sum <= sums.at(-1)!; sum++) {
        const passes = sums.findIndex((each) => each > sum);
        expect(fenwick.find(sum), `replay: ${length}, run ${run}, sum ${sum}`).toBe(passes < 0 ? length : passes - 1);
      }
    }
  });
});
