import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { failureOf, testEngine } from './support.ts';

const MESSAGES = [
  { role: 'user', content: 'go' },
  { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'ls', input: { n: 1 } }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'a.txt' }] },
  { role: 'assistant', content: [{ type: 'text', text: 'one file' }] },
];
const FILE = JSON.stringify({
  model: 'claude-opus-4-5',
  max_tokens: 9,
  system: 'Be brief.',
  tools: [{ name: 'ls', input_schema: { type: 'object' } }],
  messages: MESSAGES,
});
const RAW = { version: 1, stages: [] };

test('wire.export gives the request, what it chose, and what it cannot carry', async () => {
  const { client, add } = testEngine();
  const id = await add('s.json', FILE);
  await client.call('transcript.open', { id });
  const own = await client.call('wire.export', { id, spec: RAW, at: null, target: 'anthropic' });
  expect(JSON.parse(own.json)).toEqual(JSON.parse(FILE));
  expect(own).toMatchObject({
    model: 'claude-opus-4-5',
    shown: { messages: 4, of: 4, shortened: 0 },
    losses: [],
    findingCounts: { error: 0 },
    strict: false,
  });
  expect(own.chosen).toEqual([]);
  expect(own.bytes).toBe(Buffer.byteLength(own.json));
  const chat = await client.call('wire.export', { id, spec: RAW, at: 2, target: 'openai' });
  expect(JSON.parse(chat.json)).toMatchObject({
    model: 'gpt-5',
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'go' },
      { role: 'assistant', tool_calls: [{ function: { name: 'ls', arguments: '{"n":1}' } }] },
    ],
  });
  expect(chat.findings).toMatchObject([{ code: 'lint.unanswered_call', index: 1 }]);
  expect(chat.chosen.map(({ field, value }) => [field, value])).toEqual([
    ['model', 'gpt-5'],
    ['max_completion_tokens', '9'],
  ]);
  expect(chat.chosen[0]?.why).toContain('claude-opus-4-5');
});

test('a spec that ends with hygiene makes the request strict, and valid', async () => {
  const { client, add } = testEngine();
  const id = await add('s.json', FILE);
  await client.call('transcript.open', { id });
  const spec = { version: 1, stages: [{ kind: 'hygiene', options: { profile: 'openai' } }] };
  const info = await client.call('wire.export', { id, spec, at: 2, target: 'openai' });
  expect(info).toMatchObject({ strict: true, findingCounts: { error: 0 } });
});

test('wire.write writes the whole, of which the preview shows the beginning', async () => {
  const { client, add, dir } = testEngine();
  const long = Array.from({ length: 800 }, (_, n) => ({
    role: n % 2 === 0 ? 'user' : 'assistant',
    content: `${n} `.repeat(n === 3 ? 20_000 : 200),
  }));
  const id = await add('s.json', JSON.stringify({ model: 'claude-opus-4-5', max_tokens: 1, messages: long }));
  await client.call('transcript.open', { id });
  const what = { id, spec: RAW, at: null, target: 'anthropic' } as const;
  const info = await client.call('wire.export', what);
  expect(info.shown).toMatchObject({ of: 800, shortened: 1 });
  expect(info.shown.messages).toBeLessThan(800);
  expect(JSON.parse(info.json).messages).toHaveLength(info.shown.messages);
  const path = join(dir, 'body.json');
  const written = await client.call('wire.write', { ...what, path });
  expect(written).toEqual({ path, bytes: info.bytes });
  const text = readFileSync(path, 'utf8');
  expect(JSON.parse(text).messages).toEqual(long);
  expect((await client.call('wire.text', what)).text).toBe(text);
  expect((await failureOf(client.call('wire.export', { ...what, at: 9999 }))).code).toBe('transcript.no_such_place');
});
