// A chart that is there stays while another is computed: its series may be asked for without the raw history, and is the same.
import { expect, test } from 'vitest';
import type { EngineClient } from '../../core/protocol/client.ts';
import type { Params } from '../../core/protocol/methods.ts';
import type { Series, SeriesPoint } from '../../core/protocol/types.ts';
import { testEngine, whenCounted } from './support.ts';

const say = (role: string, content: string) => ({ role, content });
// More points than one event holds.
const TURNS = 1_200;
const MESSAGES = Array.from({ length: TURNS }, (_, nth) => [
  say('user', `Ask ${nth}`),
  say('assistant', 'Yes.'),
]).flat();

/** A policy that ends at the call after so many messages. */
const failsBehind = (messages: number) => ({
  version: 1,
  stages: [
    {
      kind: 'custom',
      options: {
        projector: `(messages) => { if (messages.length > ${messages}) throw new Error('no more'); return messages; }`,
      },
    },
  ],
});

interface Whole {
  readonly first: Series;
  readonly points: readonly SeriesPoint[];
  readonly problem: string | undefined;
  readonly cost: Series['cost'];
}

/** The series as a client puts it together. */
async function whole(client: EngineClient, params: Params<'series.start'>): Promise<Whole> {
  const pieces: Series[] = [];
  const ended = new Promise<void>((resolve) => {
    const stop = client.on('series', (piece) => {
      pieces.push(piece);
      if (!piece.complete) return;
      stop();
      resolve();
    });
  });
  const first = await client.call('series.start', params);
  await ended;
  const points = [...first.points];
  for (const piece of pieces) {
    expect(piece.from, 'a piece follows what is there').toBeLessThanOrEqual(points.length);
    points.splice(piece.from, piece.points.length, ...piece.points);
  }
  const { problem, cost = null } = pieces.at(-1) ?? {};
  return { first, points, problem, cost };
}

test('a series without the raw history is put together from its pieces alone', async () => {
  const { client, add } = testEngine();
  const id = await add('long.json', JSON.stringify({ model: 'gpt-4o', messages: MESSAGES }));
  await client.call('transcript.open', { id });
  await whenCounted(client, id);
  for (const [spec, problem] of [
    ['raw', false],
    [{ version: 1, stages: [{ kind: 'sliding_window', options: { turns: 3 } }] }, false],
    [failsBehind(30), true],
  ] as const) {
    const asked = { id, spec, samples: 1_500 };
    const withRaw = await whole(client, asked);
    const without = await whole(client, { ...asked, raw: false });
    expect(withRaw.first.points).toHaveLength(without.points.length);
    expect(without.first).toMatchObject({ points: [], complete: false, callPoints: withRaw.first.callPoints });
    expect(without.points).toEqual(withRaw.points);
    expect(without.points.length).toBeGreaterThan(500);
    expect(without.problem !== undefined).toBe(problem);
    expect(without.problem).toBe(withRaw.problem);
  }
});

test('a policy that ends on the way costs nothing known, not what it cost up to there', async () => {
  const { client, add } = testEngine();
  const id = await add('long.json', JSON.stringify({ model: 'gpt-4o', messages: MESSAGES }));
  await client.call('transcript.open', { id });
  await whenCounted(client, id);
  const { points, problem, cost } = await whole(client, { id, spec: failsBehind(5), samples: 240 });
  expect(problem).toContain('no more');
  expect(points.length).toBeGreaterThan(2);
  expect(cost).toBeNull();
  expect((await whole(client, { id, spec: 'raw', samples: 240 })).cost?.policy).toBeGreaterThan(0);
});
