// The line from counted tokens to the provider's: found, told how well it holds, and never drawn where nothing says one.
import { describe, expect, it } from 'vitest';
import { type CountedRequest, calibrate } from '../../core/insight/calibration.ts';
import { walkForward } from '../../core/insight/walkForward.ts';
import { expectedInput, holds, scaled, unrecordedOverhead } from '../../core/tokens/calibrated.ts';
import { seededRng } from '../../core/util/rng.ts';

/** Requests on a known line, off by up to `noise`; some of them (`odd`) are anywhere. */
function requestsOf(seed: number, { count = 60, noise = 0, odd = 0, factor = 1.8, base = 30_000 } = {}) {
  const rng = seededRng(seed);
  return Array.from({ length: count }, (_, i): CountedRequest => {
    const history = 500 + i * 900 + rng.below(300);
    const exact = base + factor * history;
    const input = rng.chance(odd) ? 1 + rng.below(300_000) : exact * (1 + noise * (rng.below(2001) / 1000 - 1));
    return { history, input: Math.round(input) };
  });
}

describe('a line', () => {
  it.each([1, 2, 3, 4, 5])('is found in noise, and says how much of it there is (seed %i)', (seed) => {
    const line = calibrate('m', requestsOf(seed, { noise: 0.02 }));
    expect(line?.factor).toBeGreaterThan(1.7);
    expect(line?.factor).toBeLessThan(1.9);
    expect(Math.abs((line?.base ?? 0) - 30_000)).toBeLessThan(1500);
    expect(line?.residual).toBeGreaterThan(0.002);
    expect(line?.residual).toBeLessThan(0.02);
    expect(holds(line)).toBe(true);
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('is found though a quarter of the requests are anywhere (seed %i)', (seed) => {
    const line = calibrate('m', requestsOf(seed, { odd: 0.25 }));
    expect(line?.factor).toBeCloseTo(1.8, 1);
    expect(holds(line)).toBe(true);
  });

  it('goes by the newer requests where a client has begun to add more', () => {
    const requests = requestsOf(7, { count: 240 });
    const changed = requests.map(({ history, input }, i) => ({ history, input: input + (i < 120 ? 0 : 12_000) }));
    const line = calibrate('m', changed);
    const last = changed.at(-1) ?? { history: 0, input: 1 };
    const off = Math.abs(expectedInput(line ?? { base: 0, factor: 1 }, last.history) - last.input) / last.input;
    expect(off).toBeLessThan(0.01);
  });

  it('has no base below nothing', () => {
    const requests = requestsOf(3, { base: -800, factor: 2 });
    expect(calibrate('m', requests)?.base).toBe(0);
  });

  it.each<[string, readonly CountedRequest[]]>([
    ['no request', []],
    ['few requests', requestsOf(1, { count: 4 })],
    ['histories that are all alike', Array.from({ length: 30 }, (_, i) => ({ history: 100 + i, input: 5000 + i }))],
    ['inputs that fall as histories grow', requestsOf(1, { factor: -0.2 })],
  ])('is not drawn through %s', (_name, requests) => {
    expect(calibrate('m', requests)).toBeNull();
  });

  it('is not believed of seven requests, or where half are far off', () => {
    expect(holds(calibrate('m', requestsOf(2, { count: 7 })))).toBe(false);
    expect(holds(calibrate('m', requestsOf(2, { count: 8 })))).toBe(true);
    const rng = seededRng(11);
    const anywhere = requestsOf(2).map(({ history }) => ({ history, input: 10_000 + rng.below(200_000) }));
    expect(holds(calibrate('m', anywhere))).toBe(false);
    expect(holds(null)).toBe(false);
  });
});

describe('the figures of a line', () => {
  it('never fall as what is counted grows, whole at every step', () => {
    for (const factor of [0.37, 1, 1.042, 2.059]) {
      let before = 0;
      for (let tokens = 0; tokens < 5000; tokens++) {
        const figure = scaled(tokens, factor);
        expect(Number.isInteger(figure)).toBe(true);
        expect(figure).toBeGreaterThanOrEqual(before);
        before = figure;
      }
    }
  });

  it('count what is recorded beside the messages once', () => {
    const line = { base: 20_000, factor: 1.25 };
    expect(unrecordedOverhead(line, 0)).toBe(20_000);
    expect(unrecordedOverhead(line, 4000)).toBe(15_000);
    expect(unrecordedOverhead(line, 40_000)).toBe(0);
  });
});

describe('the next request', () => {
  it.each([1, 2, 3])('is predicted from those before alone, within the noise (seed %i)', (seed) => {
    const requests = requestsOf(seed, { noise: 0.03, count: 80 });
    const { errors } = walkForward(requests);
    expect(errors.length).toBe(80 - 8);
    const sorted = errors.toSorted((a, b) => a - b);
    expect(sorted[errors.length >> 1]).toBeLessThan(0.03);
  });

  it('is not told by what comes after: cutting the end off changes no prediction', () => {
    const requests = requestsOf(4, { noise: 0.03, odd: 0.1, count: 60 });
    expect(walkForward(requests).errors.slice(0, 30)).toEqual(walkForward(requests.slice(0, 38)).errors);
  });
});
