import { expect, test } from 'vitest';
import { Pace } from '../../core/insight/uses/pace.ts';

test('pauses come often at first, while code is compiled, and then every 16,000 characters', () => {
  const pace = new Pace();
  const pauses: number[] = [];
  for (let at = 1; pauses.length < 9; at++) if (pace.spend(1)) pauses.push(at);
  const between = pauses.map((at, nth) => at - (pauses[nth - 1] ?? 0));
  expect(between).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 16_000, 16_000]);
});
