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

/** As above, with an id that no rule objects to. */
const CLEAN = MESSAGES.map((message) => JSON.parse(JSON.stringify(message).replace('toolu_1', 'toolu1')));

test('lint.repair gives what a rule would do, and what the whole profile would leave', async () => {
  const { client, add } = testEngine();
  const id = await add('s.json', JSON.stringify({ messages: [...CLEAN, { role: 'user', content: 'hello?' }] }));
  await client.call('transcript.open', { id });
  const rule = await client.call('lint.repair', { id, at: null, profile: 'anthropic', rule: 'pairing' });
  expect(rule).toMatchObject({ total: 1, left: 2 });
  expect(rule.changes).toMatchObject([{ kind: 'inserted', index: null, before: null, rules: ['pairing'], cut: false }]);
  expect(JSON.parse(rule.changes[0]?.after ?? '')).toMatchObject({ content: [{ tool_use_id: 'toolu1' }] });
  const all = await client.call('lint.repair', { id, at: null, profile: 'anthropic', rule: null });
  expect(all.left).toBe(0);
  expect(all.changes.map(({ kind, index }) => [kind, index])).toEqual([
    ['inserted', null],
    ['merged', 2],
    ['merged', 3],
  ]);
  expect(all.changes[0]?.after).toContain('hello?');
  expect(all.changes[2]?.reason).toMatch(/two user turns follow each other/);
});

test('lint.repair agrees with a hygiene stage that runs the rule alone', async () => {
  const { client, add } = testEngine();
  const id = await add('s.json', JSON.stringify({ messages: CLEAN }));
  await client.call('transcript.open', { id });
  const options = { profile: 'anthropic', only: 'pairing' };
  const spec = { version: 1, stages: [{ kind: 'hygiene', options }] };
  const { projectionId } = await client.call('projection.set', { id, spec, at: null });
  const { text } = await client.call('projection.text', { projectionId, what: 'messages' });
  const { changes } = await client.call('lint.repair', { id, at: null, profile: 'anthropic', rule: 'pairing' });
  expect(text).toContain(changes[0]?.after);
  const left = await client.call('lint.repair', { id, at: null, spec, profile: 'anthropic', rule: null });
  expect(left.changes).toMatchObject([
    { kind: 'rewritten', index: null, rules: ['merge_user_turns'] },
    { kind: 'merged', index: 2, after: null, rules: ['merge_user_turns'] },
  ]);
});

test('lint refuses rules and profiles that there are not', async () => {
  const { client, add } = testEngine();
  const id = await add('s.json', JSON.stringify({ messages: CLEAN }));
  await client.call('transcript.open', { id });
  expect((await failureOf(client.call('lint.repair', { id, at: null, rule: 'tidy' }))).code).toBe('lint.unknown_rule');
  expect((await failureOf(client.call('lint.run', { id, at: null, profile: 'tidy' }))).code).toBe(
    'lint.unknown_profile',
  );
});
