import { describe, expect, it } from 'vitest';
import { Ints } from '../../core/util/ints.ts';

describe('Ints', () => {
  it('holds what was pushed and set, and nothing behind its end', () => {
    const ints = new Ints();
    for (let value = 0; value < 50_000; value++) expect(ints.push(value - 5_000)).toBe(value);
    ints.set(3, 77);
    expect([ints.length, ints.at(0), ints.at(3), ints.at(16_384), ints.at(49_999), ints.at(50_000)]).toEqual([
      50_000, -5_000, 77, 11_384, 44_999, 0,
    ]);
    ints.fillTo(60_000);
    expect([ints.length, ints.at(49_999), ints.at(55_000)]).toEqual([60_000, 44_999, 0]);
    expect(() => ints.set(60_000, 1)).toThrow(RangeError);
  });
});
