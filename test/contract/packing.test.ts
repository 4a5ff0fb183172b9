// The points of a chart go as columns, and arrive as they were made.
import { expect, test } from 'vitest';
import { mergeBy } from '../../core/insight/columns.ts';
import { packed, unpacked } from '../../core/protocol/packing.ts';
import type { SeriesPoint } from '../../core/protocol/types.ts';
import { randomSeries, seededRandom } from '../support/randomSeries.ts';

const over = (name: string, payload: unknown): unknown =>
  unpacked(name, JSON.parse(JSON.stringify(packed(name, payload))));
const asJson = (payload: unknown): unknown => JSON.parse(JSON.stringify(payload));

test.each(['series', 'series.start', 'series.range'])('%s arrives as it was sent, 60 random series', (name) => {
  let shared = 0;
  for (let seed = 0; seed < 60; seed++) {
    const random = seededRandom(seed);
    const points = mergeBy(randomSeries(random), 1 + Math.floor(random() * 6));
    if (points.some(({ shares }) => shares !== undefined)) shared++;
    const payload = { seriesId: 's', from: 3, points, cost: null, models: [{ model: 'm', price: null, rule: null }] };
    expect(over(name, payload), `seed ${seed}`).toStrictEqual(asJson(payload));
  }
  expect(shared).toBeGreaterThan(10);
});

const brokenBy: NonNullable<SeriesPoint['cache']>['brokenBy'] = {
  ...{ stage: 1, kind: 'k', title: 'T', index: 4, change: 'edited' },
  ...{ fate: null, rule: 'r', reason: 'why' },
};

/** One with each member that a point can have, and its fellows without them. */
const FULL: SeriesPoint = {
  at: 9,
  turn: 2,
  byCategory: [1, 2, 3, 4, 5, 6, 7],
  loaded: 11,
  model: 1,
  items: 8,
  blocked: true,
  refused: true,
  recorded: {
    ...{ input: 5, read: null, written: 2 },
    diagnosis: { cause: 'tools', word: 'tools_changed', missedTokens: 3 },
    edits: [{ type: 'clear_tool_uses_20250919', toolUses: 2, tokens: 40 }],
  },
  time: { requested: 1.5, until: 2.5, took: 1, tools: null, waiting: 3 },
  cache: {
    ...{ prefixMessages: 1, prefixTokens: 2, servedTokens: 3, writtenTokens: 4, againTokens: 5 },
    ...{ brokenBy, cost: 0.25, points: 'recorded' },
    loss: { why: 'model', tokens: 1, gapMs: 2, lifetimeMs: null, changed: { from: 'a', to: null }, cost: 1 },
  },
};
const BARE: SeriesPoint = { at: 1, turn: 0, byCategory: [0, 0, 0, 0, 0, 0, 0] };

test('each member of a point arrives, and none that is not there', () => {
  const shares = { count: 2, first: 1, last: 9, recorded: 5, refused: 1, blocked: 1, worst: FULL };
  const members = Object.keys(FULL) as (keyof SeriesPoint)[];
  const without = members.map((name) => {
    const { [name]: _left, ...rest } = { ...FULL };
    return name in BARE ? FULL : (rest as SeriesPoint);
  });
  const firsts: SeriesPoint = { ...BARE, cache: null };
  const payload = { points: [FULL, BARE, firsts, { ...FULL, shares }, { ...BARE, shares }, ...without] };
  expect(over('series', payload)).toStrictEqual(asJson(payload));
  expect(over('series', { points: [] })).toStrictEqual({ points: [] });
});

test('what has no points goes as it is', () => {
  const payload = { points: 3 };
  expect(packed('transcript.open', payload)).toBe(payload);
  expect(unpacked('transcript.open', payload)).toBe(payload);
});
