// What the chart shows at any zoom is what there is: nothing in sight is left out of every column, whatever shares one.
import { describe, expect, it } from 'vitest';
import { mergeBy, mergePoints, recordedInputOf, refusedOf, worstOf } from '../../core/protocol/seriesTypes.ts';
import type { SeriesPoint } from '../../core/protocol/types.ts';
import { cacheCells } from '../../renderer/cache/cells.ts';
import { inSightOf } from '../../renderer/scrubber/words.ts';
import { barStates } from '../../renderer/state/textPoints.ts';
import {
  callsBefore,
  fitLabels,
  groupMarks,
  layOut,
  positionAt,
  requestOf,
  xOfPosition,
} from '../../renderer/ui/chart.ts';
import { clampLook, panLook, type Range, zoomLook } from '../../renderer/ui/look.ts';
import { type Random, randomSeries, seededRandom } from '../support/randomSeries.ts';

const RUNS = 120;

function randomLook(rng: Random, extent: Range, axis: 'calls' | 'time'): Range | null {
  if (rng() < 0.2) return null;
  const span = (extent.to - extent.from) * rng() ** 2;
  const from = extent.from + (extent.to - extent.from - span) * rng();
  return clampLook({ from, to: from + span }, extent, axis);
}

const bySum = (points: readonly SeriesPoint[], figure: (point: SeriesPoint) => number) =>
  points.reduce((sum, point) => sum + figure(point), 0);
const most = (points: readonly SeriesPoint[], figure: (point: SeriesPoint) => number | null) =>
  points.reduce<number | null>((max, point) => {
    const value = figure(point);
    return value === null ? max : Math.max(max ?? value, value);
  }, null);
const brokenAgain = (point: SeriesPoint) => (point.cache?.brokenBy ? point.cache.againTokens : null);

describe('columns of the chart', () => {
  it('hold every call in sight once, and the worst of each that share one', () => {
    let shared = 0;
    for (let run = 0; run < RUNS; run++) {
      const rng = seededRandom(run);
      const series = randomSeries(rng);
      const axis = rng() < 0.5 ? 'calls' : 'time';
      const width = 60 + Math.floor(rng() * 1400);
      const { extent } = layOut(series, width, null, 0, { axis, look: null });
      const chart = layOut(series, width, null, 0, { axis, look: randomLook(rng, extent, axis) });
      let next = chart.bars[0]?.from ?? 0;
      for (const { point, from, to } of chart.bars) {
        expect(from).toBe(next);
        next = to;
        const own = series.slice(from, to);
        if (own.length > 1) shared++;
        expect(requestOf(chart, point)).toBe(most(own, (each) => requestOf(chart, each)));
        expect(recordedInputOf(point)).toBe(most(own, (each) => each.recorded?.input ?? null));
        expect(refusedOf(point)).toMatchObject({
          refused: bySum(own, (each) => (each.refused ? 1 : 0)),
          blocked: bySum(own, (each) => (each.blocked ? 1 : 0)),
        });
        expect(brokenAgain(worstOf(point))).toBe(most(own, brokenAgain));
        const [cell] = cacheCells([point], 1);
        expect(cell?.state === 'broken').toBe(own.some((each) => brokenAgain(each) !== null));
      }
      // What is in sight by its place is in a column.
      for (const [position, point] of series.entries()) {
        const unit = chart.axis === 'calls' ? position + 0.5 : (point.time?.requested ?? Number.NaN);
        if (!(unit > chart.look.from && unit < chart.look.to) || (chart.axis === 'time' && !point.time)) continue;
        const isIn = chart.bars.some(({ from, to }) => position >= from && position < to);
        expect([run, position, isIn]).toEqual([run, position, true]);
      }
    }
    expect(shared).toBeGreaterThan(400);
  });

  it('show a text as gone wherever it is gone at one of their calls', () => {
    let gone = 0;
    for (let run = 0; run < RUNS; run++) {
      const rng = seededRandom(1000 + run);
      const series = randomSeries(rng);
      const states = series.map(({ at }) => ({ at, state: rng() < 0.01 ? ('gone' as const) : ('original' as const) }));
      const width = 60 + Math.floor(rng() * 900);
      const whole = layOut(series, width, null);
      const chart = layOut(series, width, null, 0, { axis: 'calls', look: randomLook(rng, whole.extent, 'calls') });
      const shown = barStates(chart.points, states as never, callsBefore(chart));
      for (const [bar, { from, to }] of chart.bars.entries()) {
        const isGone = states.slice(from, to).some(({ state }) => state === 'gone');
        expect(shown[bar]).toBe(isGone ? 'gone' : 'original');
        if (isGone) gone++;
      }
    }
    expect(gone).toBeGreaterThan(120);
  });

  it('are the same whether they are joined at once or by steps, and begin where they did when one pans', () => {
    for (let run = 0; run < RUNS; run++) {
      const rng = seededRandom(2000 + run);
      const series = randomSeries(rng);
      const [small, times] = [1 + Math.floor(rng() * 5), 1 + Math.floor(rng() * 5)];
      expect(mergeBy(mergeBy(series, small), small * times)).toEqual(mergeBy(series, small * times));
      const cut = Math.floor(rng() * (series.length - 1)) + 1;
      if (cut < series.length)
        expect(mergePoints([mergePoints(series.slice(0, cut)), mergePoints(series.slice(cut))])).toEqual(
          mergePoints(series),
        );
      const first = small * Math.floor(rng() * 50);
      expect(mergeBy(series.slice(first), small, first)).toEqual(mergeBy(series, small).slice(first / small));
    }
  });
});

describe('columns and what is in sight', () => {
  it('reach from the earliest request to the latest answer, in whatever order the times were recorded', () => {
    for (let run = 0; run < RUNS; run++) {
      const rng = seededRandom(8000 + run);
      const series = randomSeries(rng, 0.2);
      const times = series.flatMap(({ time }) => time ?? []);
      if (times.length === 0) continue;
      const [begins, ends] = [
        Math.min(...times.map(({ requested }) => requested)),
        Math.max(...times.map(({ until }) => until)),
      ];
      expect(mergePoints(series).time).toMatchObject({ requested: begins, until: ends });
      const sight = inSightOf(layOut(series, 60 + Math.floor(rng() * 1400), null));
      expect([sight.begins, sight.ends]).toEqual([begins, ends].map((ms) => new Date(ms).toISOString()));
    }
  });
});

describe('the place on the axis', () => {
  it('and the call there are each other’s inverse, at every zoom', () => {
    for (let run = 0; run < RUNS; run++) {
      const rng = seededRandom(3000 + run);
      const series = randomSeries(rng);
      const whole = layOut(series, 900, null);
      const chart = layOut(series, 900, null, 0, { axis: 'calls', look: randomLook(rng, whole.extent, 'calls') });
      for (let step = 0; step < 20; step++) {
        const position = chart.look.from + rng() * (chart.look.to - chart.look.from);
        expect(positionAt(chart, xOfPosition(chart, position))).toBeCloseTo(position, 5);
      }
    }
  });
});

describe('zooming and panning', () => {
  it('stay within the session, keep what is under the pointer, and come back', () => {
    for (let run = 0; run < RUNS; run++) {
      const rng = seededRandom(4000 + run);
      const extent = { from: rng() * 100, to: 200 + rng() * 100_000 };
      let look: Range = extent;
      for (let step = 0; step < 30; step++) {
        const [share, before] = [rng(), look];
        const held = before.from + (before.to - before.from) * share;
        const zoomed = zoomLook(look, extent, 'calls', 0.3 + rng() * 2, share) ?? extent;
        look = rng() < 0.6 ? zoomed : (panLook(look, extent, 'calls', rng() * 2 - 1) ?? extent);
        expect(look.from).toBeGreaterThanOrEqual(extent.from - 1e-6);
        expect(look.to).toBeLessThanOrEqual(extent.to + 1e-6);
        expect(look.to - look.from).toBeGreaterThanOrEqual(4 - 1e-6);
        const isInner = zoomed.from > extent.from + 1e-6 && zoomed.to < extent.to - 1e-6;
        if (look === zoomed && isInner && zoomed.to - zoomed.from > 4.001)
          expect(zoomed.from + (zoomed.to - zoomed.from) * share).toBeCloseTo(held, 4);
      }
      expect(zoomLook(look, extent, 'calls', 1e6, 0.3)).toBeNull();
    }
  });
});

describe('labels', () => {
  it('never lie over each other, nor over what is taken', () => {
    for (let run = 0; run < RUNS; run++) {
      const rng = seededRandom(5000 + run);
      const some = () => Array.from({ length: 40 }, () => ({ x: rng() * 900, width: 10 + rng() * 120 }));
      const taken = fitLabels(some().slice(0, 3));
      const shown = [...taken, ...fitLabels(some(), taken)];
      for (const [at, a] of shown.entries())
        for (const b of shown.slice(at + 1)) expect(a.x + a.width <= b.x || b.x + b.width <= a.x).toBe(true);
    }
  });

  it('of marks that meet are one with their count, and no mark is lost', () => {
    for (let run = 0; run < RUNS; run++) {
      const rng = seededRandom(6000 + run);
      const marks = Array.from({ length: 200 }, () => ({ x: rng() * 900 })).sort((a, b) => a.x - b.x);
      const groups = groupMarks(marks, 5);
      expect(groups.flatMap((group) => group.marks)).toEqual(marks);
      for (const [at, { x }] of groups.entries()) expect((groups[at + 1]?.x ?? 1e9) - x).toBeGreaterThanOrEqual(5);
    }
  });
});
