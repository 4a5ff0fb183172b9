import { describe, expect, it } from 'vitest';
import { Ints } from '../../core/util/ints.ts';

describe('Ints', () => {
  it('holds what was pushed and set, and nothing behind its end', () => {
    const ints = new Ints();
    for (let value = 0; value < 10_000; value++) expect(ints.push(value - 5_000)).toBe(value);
    ints.set(3, 77);
    expect([ints.length, ints.at(0), ints.at(3), ints.at(9_999), ints.at(10_000)]).toEqual([
      10_000, -5_000, 77, 4_999, 0,
    ]);
    expect(() => ints.set(10_000, 1)).toThrow(RangeError);
  });
});
