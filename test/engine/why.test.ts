// What each stage said of a message, over the protocol: with the tokens and the budget that the projection itself had.
import { expect, test } from 'vitest';
import { COMPOSED_MESSAGES } from '../support/composedTranscript.ts';
import { failureOf, testEngine } from './support.ts';

const SPEC = {
  version: 1,
  budget: { window: 300 },
  stages: [
    { kind: 'clean_tool_repair' },
    { kind: 'sliding_window', enabled: false },
    { kind: 'sliding_window', options: { turns: 40, fit_budget: true } },
    { kind: 'hygiene', options: { profile: 'anthropic' } },
  ],
};

test('projection.why tells each stage’s words, and the fate that detail shows', async () => {
  const { client, add } = testEngine();
  const id = await add('s.json', JSON.stringify({ messages: COMPOSED_MESSAGES }));
  await client.call('transcript.open', { id });
  const { projectionId, at } = await client.call('projection.set', { id, spec: SPEC, at: null });
  for (const index of [0, 12, 24, 27]) {
    const why = await client.call('projection.why', { projectionId, index });
    const { fate } = await client.call('projection.detail', { projectionId, index });
    expect(why).toMatchObject({ index, at });
    expect(why.fate, `#${index}`).toMatchObject({ kind: fate.kind, stage: fate.stage, reason: fate.reason });
    expect(why.stages.map(({ enabled }) => enabled)).toEqual([true, false, true, true]);
  }
  const first = await client.call('projection.why', { projectionId, index: 0 });
  expect(first.stages.map(({ fate }) => fate?.kind ?? null)).toEqual(['kept', null, 'dropped', null]);
  expect(first.stages[2]?.fate?.reason).toMatch(/\d/);
});

test('projection.why knows no message that is not there, and no projection that is gone', async () => {
  const { client, add } = testEngine();
  const id = await add('s.json', JSON.stringify({ messages: COMPOSED_MESSAGES }));
  await client.call('transcript.open', { id });
  const { projectionId } = await client.call('projection.set', { id, spec: SPEC, at: 5 });
  expect(await client.call('projection.why', { projectionId, index: 9 })).toMatchObject({ fate: null });
  const code = async (call: Promise<unknown>) => (await failureOf(call)).code;
  expect(await code(client.call('projection.why', { projectionId, index: 999 }))).toBe('transcript.no_such_place');
  expect(await code(client.call('projection.why', { projectionId: 'x', index: 0 }))).toBe('projection.unknown');
});
