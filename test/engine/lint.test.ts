import { expect, test } from 'vitest';
import { failureOf, testEngine } from './support.ts';

const MESSAGES = [
  { role: 'user', content: 'go' },
  { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'ls', input: {} }] },
  { role: 'user', content: 'well?' },
];

test('lint.run gives findings with the message before and after', async () => {
  const { client, add } = testEngine();
  const id = await add('s.json', JSON.stringify({ messages: MESSAGES }));
  await client.call('transcript.open', { id });
  const info = await client.call('lint.run', { id, at: null, provider: 'anthropic' });
  expect(info).toMatchObject({ wire: 'Anthropic Messages', how: 'anthropic', total: 1 });
  expect(info.findings).toMatchObject([
    { code: 'lint.unanswered_call', index: 1, repair: 'pairing', before: null, cut: false },
  ]);
  expect(JSON.parse(info.findings[0]?.after ?? '')).toMatchObject({
    content: [{ type: 'tool_result', tool_use_id: 'toolu_1' }],
  });
  expect(info.repairs.map(({ rule }) => rule)).toContain('pairing');
});

test('what a hygiene stage has mended, lint.run finds mended', async () => {
  const { client, add } = testEngine();
  const id = await add('s.json', JSON.stringify({ messages: MESSAGES }));
  await client.call('transcript.open', { id });
  const spec = { version: 1, stages: [{ kind: 'hygiene', options: { profile: 'anthropic' } }] };
  expect(await client.call('lint.run', { id, at: null, spec, provider: 'anthropic' })).toMatchObject({
    total: 0,
    repairs: [],
  });
  expect((await failureOf(client.call('lint.run', { id, at: 99 }))).code).toBe('transcript.no_such_place');
});
