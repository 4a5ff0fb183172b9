import { describe, expect, it } from 'vitest';
import { countBelow, positionOf, sampleEvenly, stepCallPoint, turnAt, turnEnds } from '../../core/insight/places.ts';
import { planSeries } from '../../core/insight/series.ts';

const POINTS = [1, 3, 5, 9, 12];
const STARTS = [0, 4, 8];

describe('places', () => {
  it.each([
    [0, null],
    [1, 1],
    [4, 1],
    [5, 2],
    [12, 3],
  ])('call point %i lies in turn %s', (at, turn) => expect(turnAt(STARTS, at)).toBe(turn));

  it.each([
    [3, 1, 5],
    [3, -1, 1],
    [4, 1, 5],
    [4, 2, 9],
    [4, -1, 3],
    [1, -1, 1],
    [12, 1, 12],
    [99, -1, 12],
    [0, 1, 1],
    [3, 0, 3],
  ])('from %i by %i to %i', (at, delta, to) => expect(stepCallPoint(POINTS, at, delta)).toBe(to));

  it('steps by turn to the last call point of each', () => {
    expect(turnEnds(POINTS, STARTS)).toEqual([3, 5, 12]);
    expect(stepCallPoint([], 7, 1)).toBe(7);
  });

  it('counts and finds', () => {
    expect([0, 1, 2, 12, 13].map((value) => countBelow(POINTS, value))).toEqual([0, 0, 1, 4, 5]);
    expect([1, 2, 12].map((value) => positionOf(POINTS, value))).toEqual([0, null, 4]);
  });

  it.each([
    [10, 10],
    [11, 10],
    [1000, 7],
    [3, 2],
  ])('samples %i values by %i: first, last, ascending, no doubles', (length, count) => {
    const values = Array.from({ length }, (_, i) => i * 3);
    const samples = sampleEvenly(values, count);
    expect(samples).toHaveLength(Math.min(length, count));
    expect([samples[0], samples.at(-1)]).toEqual([0, (length - 1) * 3]);
    expect([...new Set(samples)].sort((a, b) => a - b)).toEqual(samples);
  });
});

describe('a series', () => {
  it('has all call points where stages follow them', () => {
    const plan = planSeries(POINTS, STARTS, null);
    expect(plan).toMatchObject({
      sampled: false,
      visited: POINTS,
      points: [{ at: 1, turn: 1 }, { at: 3 }, { at: 5, turn: 2 }, { at: 9 }, { at: 12, turn: 3 }],
    });
  });

  it('has samples, each with the call point before it, where stages are run anew', () => {
    expect(planSeries(POINTS, STARTS, 10)).toMatchObject({ sampled: false, visited: POINTS });
    const plan = planSeries(POINTS, STARTS, 4);
    expect(plan).toMatchObject({ sampled: true, visited: [1, 3, 9, 12] });
    expect(plan.points.map(({ at }) => at)).toEqual(plan.visited);
  });
});
