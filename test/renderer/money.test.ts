import { expect, it } from 'vitest';
import type { SessionCost } from '../../core/protocol/types.ts';
import { describeMoney } from '../../renderer/budget/money.ts';

const COST: SessionCost = {
  ...{ requests: 4, unpriced: 0, recordedRequests: 4, recorded: 1, policy: 2.5 },
  ...{ output: 0.5, answers: 4 },
};

it.each([
  [{}, '$1.00 as recorded · ≈$2.50 under this policy (input and output)'],
  [{ answers: 3 }, '$1.00 as recorded · ≈$2.50 under this policy (input, and output of 3 of 4 requests)'],
  [{ output: 0, answers: 0 }, '$1.00 as recorded · ≈$2.50 under this policy (input alone)'],
  [{ recordedRequests: 3, answers: 0 }, '$1.00 as recorded (3 of 4 requests) · ≈$2.50 under this policy (input alone)'],
  [{ recorded: null, recordedRequests: 0, answers: 0 }, '≈$2.50 under this policy (input alone)'],
  [
    { unpriced: 1, recordedRequests: 3, answers: 3 },
    '$1.00 as recorded · ≈$2.50 under this policy (input and output; 1 of 4 requests has no price)',
  ],
  [{ recorded: null, policy: null }, null],
])('what a session costs says what it covers: %o', (own, words) => {
  expect(describeMoney({ ...COST, ...own }, 'exact', 'under this policy')).toBe(words);
});
