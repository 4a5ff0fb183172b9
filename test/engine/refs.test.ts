// What the drawer is told of a message's ids.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compactedSession } from '../support/compactedSession.ts';
import { testEngine } from './support.ts';

test('projection.detail names the request and the call that a message belongs to', async () => {
  const { client, add } = testEngine();
  const thread = readFileSync(join(import.meta.dirname, '../fixtures/jido/thread.json'), 'utf8');
  const id = await add('thread.json', thread);
  const { projectionId } = await client.call('projection.set', { id, spec: 'raw', at: null });
  const refs = async (index: number) => (await client.call('projection.detail', { projectionId, index })).refs;
  expect(await refs(1)).toEqual({ requestId: 'req_1', callId: 'call_1', iteration: 1 });
  expect(await refs(6)).toEqual({ requestId: null, callId: null, iteration: null });
});

test('where nothing is named, nothing is', async () => {
  const { client, add } = testEngine();
  const id = await add('s.jsonl', compactedSession(2).text);
  const { projectionId } = await client.call('projection.set', { id, spec: 'raw', at: null });
  const { refs } = await client.call('projection.detail', { projectionId, index: 0 });
  expect(refs).toEqual({ requestId: null, callId: null, iteration: null });
});
