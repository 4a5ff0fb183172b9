// Which ranges of a message hold another one, beside a look at all of them.
import { expect, it } from 'vitest';
import { Ranges } from '../../core/insight/uses/ranges.ts';
import { seededRng } from '../../core/util/rng.ts';

it('finds a range that holds another one, as a look at all of them does', () => {
  const rng = seededRng(11);
  const range = () => {
    const from = rng.below(60);
    return { part: rng.below(2), from, to: from + rng.below(20) };
  };
  for (let round = 0; round < 300; round++) {
    const all = Array.from({ length: rng.below(12) }, range);
    const ranges = new Ranges(all, (one) => one);
    for (let asked = 0; asked < 20; asked++) {
      const one = range();
      const holding = all.filter(({ part, from, to }) => part === one.part && from <= one.from && one.to <= to);
      expect(ranges.holds(one)).toBe(holding.length > 0);
      expect(ranges.holds(one, ({ to }) => to % 2 === 0)).toBe(holding.some(({ to }) => to % 2 === 0));
    }
  }
});
