import { expect, it } from 'vitest';
import { beforePath } from '../../renderer/keep/beforePath.ts';
import { layOut } from '../../renderer/ui/chart.ts';

const point = (at: number, tokens: number, shares?: { first: number; last: number }) =>
  ({ at, turn: 1, byCategory: [tokens], ...(shares && { shares: { ...shares, count: 2 } }) }) as never;

it('is a step as wide as each bar, and broken where nothing is known of its requests', () => {
  const chart = layOut([point(1, 100), point(3, 200), point(5, 300)], 450, null);
  const whole = beforePath(
    chart,
    [1, 3, 5].map((at) => ({ at, a: 100, b: 0 })),
  );
  expect(whole.match(/M/g)).toHaveLength(1);
  expect(whole.match(/H/g)).toHaveLength(3);
  const broken = beforePath(
    chart,
    [1, 5].map((at) => ({ at, a: 100, b: 0 })),
  );
  expect(broken.match(/M/g)).toHaveLength(2);
  expect(broken.match(/H/g)).toHaveLength(2);
  expect(beforePath(chart, [])).toBe('');
});

it('takes the largest of the requests that share a bar', () => {
  const chart = layOut([point(1, 100, { first: 1, last: 3 }), point(5, 100, { first: 5, last: 5 })], 450, null);
  const of = (a: number, b: number) =>
    beforePath(chart, [
      { at: 1, a, b: 0 },
      { at: 3, a: b, b: 0 },
    ]);
  expect(of(40, 80)).toBe(of(80, 40));
  expect(of(40, 80)).not.toBe(of(40, 40));
});
