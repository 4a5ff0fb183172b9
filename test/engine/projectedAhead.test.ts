// Who opens a transcript asks for its rows when the click is drawn: what the engine makes meanwhile is what is asked for then,
// and nothing is made of it twice.
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, type MockInstance, vi } from 'vitest';
import { Engine } from '../../core/engine/engine.ts';
import { defaultSpec } from '../../core/projection/presets.ts';
import type { ProjectionSpec } from '../../core/projection/types.ts';
import { compactedSession } from '../support/compactedSession.ts';
import { testEngine, whenCounted } from './support.ts';

const RAW = { version: 1, name: 'raw', stages: [] };
const CUSTOM = { version: 1, stages: [{ kind: 'custom', options: { projector: '(messages) => messages' } }] };

let project: MockInstance<Engine['project']>;
beforeEach(() => {
  project = vi.spyOn(Engine.prototype, 'project');
});
afterEach(() => void project.mockRestore());

async function opened(spec: object | null = null) {
  const first = testEngine();
  const id = await first.add('session.jsonl', compactedSession().text);
  await whenCounted(first.client, id);
  const choice = { spec: spec as ProjectionSpec | null, window: null, tokenizer: null };
  await first.client.call('transcript.setChoice', { id, choice });
  await first.dispose();
  const { client } = testEngine(first.dir);
  project.mockClear();
  await client.call('transcript.open', { id });
  const kinds = () => project.mock.calls.map(([, stages]) => stages.map(({ kind }) => kind));
  const set = (spec: object, hash: 'none' | 'later') =>
    client.call('projection.set', {
      id,
      spec,
      at: null,
      window: null,
      tokenizer: null,
      rows: { from: 0, to: 9 },
      hash,
    });
  return { kinds, set, client, id };
}

it('is first what happened, and behind it what nobody chose', async () => {
  const { kinds, set } = await opened();
  await vi.waitFor(() => expect(kinds()).toEqual([[]]));
  await set(RAW, 'none');
  await vi.waitFor(() => expect(kinds()).toEqual([[], ['recorded_compaction']]));
  await set(defaultSpec(true), 'later');
  expect(kinds()).toHaveLength(2);
});

it('is behind it what was chosen', async () => {
  const spec = { version: 1, stages: [{ kind: 'clean_tool_repair' }] };
  const { kinds, set } = await opened(spec);
  await set(RAW, 'none');
  await vi.waitFor(() => expect(kinds()).toEqual([[], ['clean_tool_repair']]));
  await set(spec, 'later');
  expect(kinds()).toHaveLength(2);
});

it('takes nothing from who opens it again, or has asked for something else', async () => {
  const { kinds, set, client, id } = await opened();
  await vi.waitFor(() => expect(kinds()).toEqual([[]]));
  const { projectionId } = await set({ version: 1, stages: [{ kind: 'clean_tool_repair' }] }, 'later');
  for (const hash of ['later', 'none'] as const) {
    await client.call('transcript.open', { id });
    await set({ version: 1, stages: [{ kind: 'clean_tool_repair' }] }, hash);
    await wait(50);
    await client.call('projection.rows', { projectionId, from: 0, to: 9 });
  }
  expect(kinds()).toEqual([[], ['clean_tool_repair']]);
});

it('is never what runs code that nobody asked for', async () => {
  const { kinds, set } = await opened(CUSTOM);
  await set(RAW, 'none');
  await wait(100);
  expect(kinds()).toEqual([[]]);
});
