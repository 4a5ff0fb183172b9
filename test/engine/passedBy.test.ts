// A slider passes by most projections: what was read of one stays to be had, the rest of it is not worked out, and whoever
// asks for it all the same is told to project again. Nobody loses what he still looks at.
import { describe, expect, it } from 'vitest';
import { type EngineClient, EngineError } from '../../core/protocol/client.ts';
import { claudeCodeFile } from '../support/generate.ts';
import { type TestEngine, testEngine, whenCounted } from './support.ts';

const specOf = (turns: number) => ({ version: 1, stages: [{ kind: 'sliding_window', options: { turns } }] });
const SEEN = { from: 0, to: 20 };
const UNSEEN = { from: 60, to: 80 };

interface World {
  readonly engine: TestEngine;
  readonly client: EngineClient;
  readonly id: string;
}

async function opened(): Promise<World> {
  const engine = testEngine();
  const id = await engine.add('session.jsonl', claudeCodeFile({ messages: 120, seed: 4 }));
  await engine.client.call('transcript.open', { id });
  // Another count would be another projection.
  await whenCounted(engine.client, id);
  return { engine, client: engine.client, id };
}

const move = async ({ id }: World, client: EngineClient, turns: number) =>
  (await client.call('projection.set', { id, spec: specOf(turns), at: null, rows: SEEN })).projectionId;
const rows = (client: EngineClient, projectionId: string, window: typeof SEEN) =>
  client.call('projection.rows', { projectionId, ...window });

/** The answer, or the code of the error instead. */
const told = <T>(answer: Promise<T>): Promise<T | string> =>
  answer.catch((error: unknown) => (error instanceof EngineError ? error.code : Promise.reject(error)));

describe('a projection that a slider passed by', () => {
  it('has the rows that were read of it; the others it has right, or says that they are no longer there', async () => {
    const world = await opened();
    const { client } = world;
    const passed = await move(world, client, 3);
    const read = await rows(client, passed, SEEN);
    const shown = await move(world, client, 4);
    expect(await rows(client, passed, SEEN)).toEqual(read);
    // In a pause the rest is made, of a session as short as this: how far it came is a matter of time.
    const others = await told(rows(client, passed, UNSEEN));
    const detail = await told(client.call('projection.detail', { projectionId: passed, index: 70 }));
    expect((await rows(client, shown, UNSEEN)).rows).toHaveLength(20);
    expect(await move(world, client, 3)).toBe(passed);
    expect([await rows(client, passed, UNSEEN), 'projection.unknown']).toContainEqual(others);
    const whole = await client.call('projection.detail', { projectionId: passed, index: 70 });
    expect([whole, 'projection.unknown']).toContainEqual(detail);
  });

  it('is made again when the slider comes back', async () => {
    const world = await opened();
    const { client } = world;
    const first = await move(world, client, 3);
    const unseen = await rows(client, first, UNSEEN);
    await move(world, client, 4);
    const again = await move(world, client, 3);
    expect(again).toBe(first);
    expect(await rows(client, again, UNSEEN)).toEqual(unseen);
  });

  it('stays whole where somebody asked for more of it than rows', async () => {
    const world = await opened();
    const { client } = world;
    const passed = await move(world, client, 3);
    await client.call('projection.detail', { projectionId: passed, index: 5 });
    await move(world, client, 4);
    expect((await rows(client, passed, UNSEEN)).rows).toHaveLength(20);
  });

  it('stays whole while something else is projected beside the screen', async () => {
    const world = await opened();
    const { client } = world;
    const shown = await move(world, client, 3);
    const subject = { id: world.id, spec: specOf(5), at: null };
    await client.call('review.open', subject);
    await client.call('export.acp', subject);
    await client.call('wire.export', { ...subject, target: 'anthropic' });
    expect((await rows(client, shown, UNSEEN)).rows).toHaveLength(20);
    const detail = await client.call('projection.detail', { projectionId: shown, index: 70 });
    expect(detail.index).toBe(70);
  });

  it('stays whole while another window shows the transcript', async () => {
    const world = await opened();
    const { client } = world;
    const other = world.engine.connect();
    await other.call('transcript.open', { id: world.id });
    const shown = await move(world, other, 3);
    await move(world, client, 4);
    await move(world, client, 5);
    expect((await rows(other, shown, UNSEEN)).rows).toHaveLength(20);
  });
});
