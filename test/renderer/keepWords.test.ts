import { expect, test } from 'vitest';
import { signedCost } from '../../renderer/keep/words.ts';

test.each([
  [0.174, 'exact', '+$0.17'],
  [-0.174, 'estimated', '~−$0.17'],
  [0.0021, 'calibrated', '≈+$0.0021'],
  [0, 'exact', '+$0'],
  [null, 'exact', '–'],
] as const)('a price of %s, %s: %s', (costSession, provenance, words) => {
  expect(signedCost({ costSession }, provenance)).toBe(words);
});
