import { expect, test } from 'vitest';
import { comparedDollars, dollarsText, shortDollars } from '../../core/util/dollars.ts';
import { seededRng } from '../../core/util/rng.ts';

const numberOf = (text: string): number => Number(text.replace(/[$,]/g, ''));

test.each([
  [0, '$0', '$0'],
  [0.000_000_02, '<$0.000001', '<$0.000001'],
  [0.0031, '$0.0031', '$0.0031'],
  [0.1, '$0.10', '$0.10'],
  [744.474, '$744.47', '$744'],
  [1234.5, '$1,234.50', '$1,235'],
])('%f dollars are %s, in short %s', (dollars, text, short) => {
  expect([dollarsText(dollars), shortDollars(dollars)]).toEqual([text, short]);
});

test.each([
  [0.2857, 0.3112, '$0.286', '$0.311', '$0.025'],
  [0.0031, 0.0051, '$0.0031', '$0.0051', '$0.0020'],
  [12.345, 18.9, '$12.35', '$18.90', '$6.55'],
  [128.2, 1131.7, '$128', '$1,132', '$1,004'],
  [128.2, 129.1, '$128.20', '$129.10', '$0.90'],
  [3, 3, '$3.00', '$3.00', null],
])('%f beside %f', (a, b, textA, textB, more) => {
  expect(comparedDollars(a, b)).toEqual({ a: textA, b: textB, more });
});

test('who subtracts two sums as they are shown gets the difference that is shown, 4,000 times', () => {
  for (let seed = 0; seed < 4_000; seed++) {
    const rng = seededRng(seed);
    const sum = (): number => (1 + rng.below(1_000_000)) / 10 ** rng.below(7);
    const a = sum();
    const b = rng.below(2) === 0 ? sum() : a + a / 10 ** rng.below(6);
    const { a: textA, b: textB, more } = comparedDollars(a, b);
    const shown = Math.abs(numberOf(textB) - numberOf(textA));
    if (more !== null) expect(Math.abs(numberOf(more) - shown), `seed ${seed}: ${a}, ${b}`).toBeLessThan(1e-7);
    // A difference that is there is seen.
    if (Math.abs(a - b) > 1e-6) expect(numberOf(more ?? '0'), `seed ${seed}: ${a}, ${b}`).toBeGreaterThan(0);
  }
});
