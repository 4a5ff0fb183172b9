// The table of call points answers as the points themselves would: as they are, in columns of any size, and in sums.
import { expect, it } from 'vitest';
import { type PointCharge, PointTable } from '../../core/insight/pointTable.ts';
import { mergeBy, messageTokens } from '../../core/protocol/seriesTypes.ts';
import type { SeriesPoint } from '../../core/protocol/types.ts';
import { type Random, randomSeries, seededRandom } from '../support/randomSeries.ts';

const BESIDE = 70;

function charged(rng: Random): PointCharge {
  const some = () => (rng() < 0.3 ? null : Math.floor(rng() * 1000) / 8);
  const billed = some();
  return { spent: Math.floor(rng() * 1000) / 8, billed, answered: billed === null ? null : some(), output: some() };
}

function filled(run: number) {
  const rng = seededRandom(run);
  const points = randomSeries(rng, 0.2);
  const charges = points.map(() => charged(rng));
  const table = new PointTable(points.length);
  for (const [at, point] of points.entries()) table.add(point, charges[at] ?? charged(rng));
  return { rng, points, charges, table };
}

const sum = (points: readonly SeriesPoint[], of: (point: SeriesPoint, at: number) => number | null) =>
  points.reduce((all, point, at) => all + (of(point, at) ?? 0), 0);

it('gives each point back as it was', () => {
  for (let run = 0; run < 60; run++) {
    const { points, table } = filled(run);
    expect(points.map((_, row) => table.point(row))).toEqual(points);
  }
});

it('gives each point back of a session that is longer than the room it begins with', () => {
  const points: SeriesPoint[] = [];
  for (let run = 0; points.length < 2_000; run++) points.push(...randomSeries(seededRandom(run), 0.2));
  const table = new PointTable(points.length);
  const rng = seededRandom(7);
  for (const point of points) table.add(point, charged(rng));
  expect(points.map((_, row) => table.point(row))).toEqual(points);
  expect([table.length, table.capacity]).toEqual([points.length, points.length]);
});

it('answers a range of any size with the columns of its points', () => {
  for (let run = 0; run < 200; run++) {
    const { rng, points, table } = filled(run);
    const from = Math.floor(rng() * points.length);
    const to = from + 1 + Math.floor(rng() * (points.length - from));
    const most = 1 + Math.floor(rng() * 400);
    const answer = table.range(from, to, most);
    const size = Math.max(1, Math.ceil((to - from) / most));
    expect(answer.first).toBe(Math.floor(from / size) * size);
    expect(answer.points).toEqual(mergeBy(points.slice(answer.first, to), size, answer.first));
    expect(answer.points.length).toBeLessThanOrEqual(most + 1);
  }
});

it('adds up an area as its call points do, without the request that was not made', () => {
  for (let run = 0; run < 200; run++) {
    const { rng, points, charges, table } = filled(run);
    const from = Math.floor(rng() * points.length);
    const to = from + 1 + Math.floor(rng() * (points.length - from));
    const next = rng() < 0.5 ? (points.at(-1)?.at ?? 0) : Number.POSITIVE_INFINITY;
    const totals = table.area(from, to, { next, beside: BESIDE });
    const made = points.slice(from, to).filter(({ at }) => at < next);
    const own = charges.slice(from, from + made.length);
    const tokens = made.map((point) => messageTokens(point) + BESIDE);
    expect(totals).toMatchObject({
      calls: made.length,
      hasNext: made.length < to - from,
      first: made[0]?.at ?? null,
      last: made.at(-1)?.at ?? null,
    });
    expect(totals.policy).toMatchObject({
      tokens: tokens.reduce((all, each) => all + each, 0),
      peak: Math.max(0, ...tokens),
      served: sum(made, ({ cache }) => cache?.servedTokens ?? 0),
      breaks: made.filter(({ cache }) => cache?.brokenBy).length,
      refused: made.filter(({ refused }) => refused).length,
      cost: made.length === 0 ? null : own.reduce((all, { spent }) => all + (spent ?? 0), 0),
    });
    const recorded = made.filter((point) => point.recorded);
    const billed = own.flatMap((charge) => charge.billed ?? []);
    expect(totals.recorded).toMatchObject({
      requests: recorded.length,
      input: sum(recorded, (point) => point.recorded?.input ?? 0),
      output: own.reduce((all, { output }) => all + (output ?? 0), 0),
      cost: billed.length === 0 ? null : billed.reduce((all, each) => all + each, 0),
      priced: { requests: billed.length, answers: own.flatMap(({ answered }) => answered ?? []).length },
    });
    const times = made.flatMap(({ time }) => time ?? []);
    const begins = times.length === 0 ? null : Math.min(...times.map(({ requested }) => requested));
    expect(totals.time?.begins ?? null).toBe(begins);
    expect(totals.time?.ends ?? null).toBe(times.length === 0 ? null : Math.max(...times.map(({ until }) => until)));
    expect(totals.time?.answering ?? 0).toBe(times.reduce((all, { took }) => all + (took ?? 0), 0));
  }
});
