import { describe, expect, it } from 'vitest';
import { cacheShare, describeFigure, describeFit, describeTotals, offBy } from '../../renderer/usage/usageText.ts';

const figure = {
  at: 41,
  input: 20_200,
  cacheRead: 19_190,
  cacheWrite: 900,
  output: 300,
  history: 21_000,
  answer: 280,
  expected: 35_200,
};

describe('the figures of a request', () => {
  it('stand beside what was expected', () => {
    expect(describeFigure(figure)).toBe('20,200 in, ≈35,200 expected (−43%) · history counted as 21,000');
    expect(describeFigure({ ...figure, expected: null })).toBe('20,200 in · history counted as 21,000');
    expect(describeFigure({ ...figure, expected: 20_200 })).toBe(
      '20,200 in, ≈20,200 expected (±0%) · history counted as 21,000',
    );
  });

  it.each([
    [35_200, '−43%'],
    [20_199, '±0%'],
    [10_000, '+102%'],
    [0, null],
    [null, null],
  ])('are off an expectation of %s by %s', (expected, words) => {
    expect(offBy({ input: figure.input, expected })).toBe(words);
  });

  it('say how much came from the cache, where that is recorded', () => {
    expect([
      cacheShare(figure),
      cacheShare({ ...figure, cacheRead: 0 }),
      cacheShare({ ...figure, cacheRead: null }),
    ]).toEqual(['95%', '0%', null]);
  });
});

it('a fit is a line, with what it was drawn through', () => {
  const fit = { model: 'm', requests: 1, factor: 1.306, base: 20_010.4, spread: 40, residual: 0.0042 };
  expect(describeFit(fit)).toBe('input ≈ 20,010 + 1.31 × counted (m, 1 request, typically 0.4% off)');
  expect(describeFit({ ...fit, model: null, requests: 24 })).toBe(
    'input ≈ 20,010 + 1.31 × counted (24 requests, typically 0.4% off)',
  );
});

it('sums leave out a cache that was never read', () => {
  const totals = { input: 1_200_000, cacheRead: 1_164_000, cacheWrite: 9000, output: 40_200 };
  expect(describeTotals(totals)).toBe('1.2M in, 97% of it from the cache, 40k out');
  expect(describeTotals({ ...totals, cacheRead: 0 })).toBe('1.2M in, 40k out');
});
