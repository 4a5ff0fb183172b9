import { describe, expect, it } from 'vitest';
import { yTicks } from '../../renderer/scrubber/axisTicks.ts';
import {
  barAt,
  CHART,
  figuresOf,
  layOut,
  overheadPath,
  shortLabel,
  stackPath,
  xOf,
  yOf,
} from '../../renderer/ui/chart.ts';
import { makePoint } from './support.ts';

const points = [makePoint(2, [100]), makePoint(6, [100, 50]), makePoint(10, [100, 0, 200]), makePoint(12, [100])];
const chart = layOut(points, 450, null);

describe('the chart of the scrubber', () => {
  it('spaces bars evenly between the margins', () => {
    expect(chart.step).toBe((450 - CHART.left - CHART.right) / 4);
    expect(chart.barWidth).toBeLessThan(chart.step);
  });

  it('shows the window where the bars stay readable beside it', () => {
    expect(layOut(points, 450, 700)).toMatchObject({ showsWindow: true, max: 700 * 1.06 });
    expect(layOut(points, 450, 200_000)).toMatchObject({ showsWindow: false, max: 300 * 1.06 });
    expect(layOut([], 450, 700)).toMatchObject({ showsWindow: false, max: 1 });
  });

  it('leaves labels over the bars their room, whatever is in sight', () => {
    for (const [window, look] of [
      [null, null],
      [700, null],
      [null, { from: 1, to: 2 }],
      [310, { from: 2, to: 3 }],
    ] as const) {
      const labelled = layOut(points, 450, window, 50, { axis: 'calls', look, hasLabels: true });
      const tops = labelled.points.map((point) =>
        yOf(labelled, 50 + point.byCategory.reduce((sum, one) => sum + one, 0)),
      );
      expect(Math.min(...tops)).toBeGreaterThan(CHART.top + 11.9);
    }
    const strip = layOut(points, 450, null, 0, { axis: 'calls', look: null, isStrip: true, hasLabels: true });
    expect(strip.max).toBe(300 * 1.06);
  });

  it('measures from the floor', () => {
    expect(yOf(chart, 0)).toBe(CHART.height - CHART.bottom);
    expect(yOf(chart, chart.max)).toBe(CHART.top);
    // Of a small window: lower, with the same bars between the same edges.
    const strip = layOut(points, 450, null, 0, { axis: 'calls', look: null, isStrip: true });
    expect([yOf(strip, 0), yOf(strip, strip.max)]).toEqual([strip.floor, strip.top]);
    expect(strip.height).toBe(44);
    expect(strip.floor).toBeLessThan(strip.height);
    expect(strip.bars).toEqual(chart.bars);
    expect([yTicks(strip), yTicks(chart).length > 0]).toEqual([[], true]);
  });

  it('stacks a category on those before it, and leaves empty boxes out', () => {
    const path = stackPath(chart, 1);
    expect(path.match(/M/g)).toHaveLength(1);
    expect(path).toContain(`V${Math.round(yOf(chart, 150) * 100) / 100}`);
    expect(stackPath(chart, 6)).toBe('');
  });

  it('sets bars on what stands beside the messages', () => {
    const beside = layOut(points, 450, null, 100);
    expect(beside.max).toBe(400 * 1.06);
    const top = Math.round(yOf(beside, 100) * 100) / 100;
    expect(overheadPath(beside).match(/M/g)).toHaveLength(4);
    expect(overheadPath(beside)).toContain(`V${top}`);
    expect(stackPath(beside, 0)).toMatch(new RegExp(`^M${CHART.left} ${String(top).replace('.', '[.]')}V`));
    expect(overheadPath(chart)).toBe('');
  });

  it('finds the place of a call point, between bars too', () => {
    expect(xOf(chart, 2)).toBe(CHART.left);
    expect(xOf(chart, 6)).toBe(CHART.left + chart.step);
    expect(xOf(chart, 4)).toBe(CHART.left + chart.step / 2);
    expect(xOf(chart, 0)).toBe(CHART.left);
    expect(xOf(chart, 99)).toBe(CHART.left + 4 * chart.step);
  });

  it('finds the bar under the pointer and clamps at the ends', () => {
    expect([-5, CHART.left, CHART.left + chart.step * 1.5, 999].map((px) => barAt(chart, px))).toEqual([0, 0, 1, 3]);
    expect(barAt(layOut([], 450, null), 100)).toBe(-1);
  });

  it('shortens the labels of marks', () => {
    expect(shortLabel('compaction (auto, 998,659 tokens before)')).toBe('compaction');
    expect(shortLabel('a label of more than eighteen')).toBe('a label of more t…');
    expect(shortLabel('a label of more than eighteen', 29)).toBe('a label of more than eighteen');
  });

  it('lists the figures of a bar, largest first', () => {
    expect(figuresOf(points[2] ?? makePoint(0, []))).toEqual([
      { category: 'assistant', tokens: 200 },
      { category: 'system', tokens: 100 },
    ]);
  });
});

describe('more points than bars', () => {
  const many = Array.from({ length: 1000 }, (_, at) => ({ at, turn: 1, byCategory: [at === 503 ? 9000 : at] }));

  it('share bars, and the largest of those that do is shown', () => {
    const shown = layOut(many, 250, null).points;
    expect(shown).toHaveLength(100);
    expect(shown[50]?.at).toBe(503);
    expect(shown[50]?.shares).toMatchObject({ count: 10, first: 500, last: 509 });
    expect(shown.map(({ at }) => at)).toEqual([...shown.map(({ at }) => at)].sort((a, b) => a - b));
  });

  it('are left alone where there is room', () => expect(layOut(many, 2050, null).points).toEqual(many));
});
