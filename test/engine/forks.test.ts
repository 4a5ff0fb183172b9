// What-ifs, policies of scopes and correlation over the protocol.
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { failureOf, testEngine } from './support.ts';

const THREAD = readFileSync(join(import.meta.dirname, '../fixtures/jido/thread.json'), 'utf8');
const CHAT = JSON.stringify({
  messages: Array.from({ length: 40 }, (_, i) => ({
    role: i % 2 === 0 ? 'user' : 'assistant',
    content: `words ${i} `.repeat(200),
  })),
});
const POLICY = { version: 1, stages: [{ kind: 'context_policy' }] };

describe('transcript.fork', () => {
  test('makes a transcript that stands under its parent, and leaves that alone', async () => {
    const { client, add } = testEngine();
    const id = await add('thread.json', THREAD);
    const before = await client.call('transcript.open', { id });
    const { id: fork } = await client.call('transcript.fork', { id, at: 5, text: 'And in Oslo?' });
    const info = await client.call('transcript.open', { id: fork });
    expect(info).toMatchObject({ messages: 6, under: { id, as: 'what_if' }, whatIf: { parentId: id, at: 5 } });
    expect(info.title).toBe(`What if: ${before.title}`);
    const { projectionId } = await client.call('projection.set', { id: fork, spec: 'raw', at: null });
    const { text } = await client.call('projection.text', { projectionId, what: 'messages' });
    expect(JSON.parse(text).at(-1)).toEqual({ role: 'user', content: 'And in Oslo?' });
    const { messages } = await client.call('transcript.open', { id });
    expect(messages).toBe(before.messages);
    const { transcripts } = await client.call('library.list', {});
    expect(transcripts.find((one) => one.id === fork)?.under).toEqual({ id, as: 'what_if' });
    expect(await client.call('transcript.relatives', { id: fork })).toMatchObject({ forkedFrom: { id, at: 5 } });
    expect((await client.call('transcript.relatives', { id })).forks).toMatchObject([{ id: fork, at: 5, messages: 6 }]);
  });

  test('takes typed messages as they are written, in the shape of those before', async () => {
    const { client, add } = testEngine();
    const gemini = [
      { role: 'user', parts: [{ text: 'hi' }] },
      { role: 'model', parts: [{ text: 'hello' }] },
    ];
    const id = await add('g.json', JSON.stringify({ contents: gemini }));
    const exact = '{"role":"user","parts":[{"text":"1.0","n":1.0}]}';
    const { id: fork } = await client.call('transcript.fork', { id, at: 2, messages: [exact], text: 'so?' });
    const { projectionId } = await client.call('projection.set', { id: fork, spec: 'raw', at: null });
    const { text } = await client.call('projection.text', { projectionId, what: 'messages' });
    expect(text).toContain(exact);
    expect(JSON.parse(text).at(-1)).toEqual({ role: 'user', parts: [{ text: 'so?' }] });
  });

  test.each([
    ['{"role":', 'is not JSON'],
    ['[1]', 'is not an object'],
    ['{"content":"x"}', 'has no role'],
  ])('refuses %s', async (message, why) => {
    const { client, add } = testEngine();
    const id = await add('thread.json', THREAD);
    const failure = await failureOf(client.call('transcript.fork', { id, at: 1, messages: [message] }));
    expect(failure).toMatchObject({ code: 'fork.not_a_message' });
    expect(failure.message).toContain(`Message 1 ${why}`);
  });

  test('refuses places that are not there', async () => {
    const { client, add } = testEngine();
    const id = await add('thread.json', THREAD);
    expect((await failureOf(client.call('transcript.fork', { id, at: 99 }))).code).toBe('transcript.no_such_place');
    expect((await failureOf(client.call('transcript.fork', { id: 'x', at: 0 }))).code).toBe('transcript.unknown');
  });
});

test('a bundle of a what-if says so, and verifies', async () => {
  const { client, add } = testEngine();
  const id = await add('thread.json', THREAD);
  const { id: fork } = await client.call('transcript.fork', { id, at: 5, text: 'And in Oslo?' });
  const path = join(mkdtempSync(join(tmpdir(), 'parallax-bundle-')), 'fork.parallax.json');
  await client.call('export.write', { id: fork, spec: POLICY, at: null, path });
  const { transcript } = JSON.parse(readFileSync(path, 'utf8'));
  expect(transcript).toMatchObject({ what_if: { parent: id, at: 5 }, title: expect.stringMatching(/^What if: /) });
  expect(readFileSync(`${path}.md`, 'utf8')).toContain('a what-if: messages from #5 on were typed');
  expect(await client.call('verify.file', { path })).toMatchObject({ same: true });
});

test('export.thread writes what can be imported again', async () => {
  const { client, add } = testEngine();
  const id = await add('thread.json', THREAD);
  const { id: fork } = await client.call('transcript.fork', { id, at: 5, text: 'And in Oslo?' });
  const path = join(mkdtempSync(join(tmpdir(), 'parallax-thread-')), 'fork.json');
  const made = await client.call('export.thread', { id: fork, path });
  expect(made).toMatchObject({ path, entries: 7, losses: [] });
  const thread = JSON.parse(readFileSync(path, 'utf8'));
  expect(thread.metadata).toMatchObject({ what_if: true, parent_thread_id: 'thread_1', fork_seq: 6 });
  // In another library the two belong together again, whichever came first.
  const other = testEngine();
  const forkAgain = await other.add('fork.json', JSON.stringify(thread));
  const parent = await other.add('thread.json', THREAD);
  expect(await other.client.call('transcript.relatives', { id: forkAgain })).toMatchObject({
    forkedFrom: { id: parent, at: 5 },
    continues: null,
  });
  expect(await other.client.call('transcript.relatives', { id: parent })).toMatchObject({
    forks: [{ id: forkAgain, at: 5, messages: 6 }],
    continuedBy: [],
  });
});

describe('policies of scopes', () => {
  const input = (info: { reports: readonly { meta?: Readonly<Record<string, unknown>> }[] }) =>
    info.reports[0]?.meta?.max_input_tokens;

  test('stand behind the spec, the transcript’s before the workspace’s, and say so', async () => {
    const { client, add } = testEngine();
    const id = await add('chat.json', CHAT);
    const project = (spec: unknown) => client.call('projection.set', { id, spec, at: null });
    expect(input(await project(POLICY))).toBe(8000);
    await client.call('policy.setDefault', {
      scope: 'workspace',
      options: { max_input_tokens: 5000, keep_last_turns: 1 },
    });
    expect(input(await project(POLICY))).toBe(5000);
    await client.call('policy.setDefault', { scope: 'transcript', id, options: { max_input_tokens: 4000 } });
    const info = await project(POLICY);
    expect(input(info)).toBe(4000);
    expect(info.reports[0]?.sources).toEqual({ max_input_tokens: 'transcript', keep_last_turns: 'workspace' });
    expect(
      input(await project({ version: 1, stages: [{ kind: 'context_policy', options: { max_input_tokens: 3000 } }] })),
    ).toBe(3000);
    await client.call('policy.setDefault', { scope: 'transcript', id, options: null });
    expect(input(await project(POLICY))).toBe(5000);
  });

  test('policy.resolve tells where each value comes from', async () => {
    const { client, add } = testEngine();
    const id = await add('chat.json', CHAT);
    await client.call('policy.setDefault', { scope: 'workspace', options: { keep_last_turns: 9 } });
    const { values, workspace, transcript } = await client.call('policy.resolve', { id, options: { max_messages: 4 } });
    const from = Object.fromEntries(values.map(({ name, value, source }) => [name, [value, source]]));
    expect(from).toMatchObject({
      max_messages: [4, 'request'],
      keep_last_turns: [9, 'workspace'],
      max_input_tokens: [8000, 'default'],
    });
    expect([workspace, transcript]).toEqual([{ keep_last_turns: 9 }, null]);
  });

  test('must be valid', async () => {
    const { client } = testEngine();
    const wrong = client.call('policy.setDefault', { scope: 'workspace', options: { keep_last_turns: -1 } });
    expect((await failureOf(wrong)).code).toBe('spec.invalid');
    const unknown = client.call('policy.setDefault', { scope: 'transcript', id: 'x', options: {} });
    expect((await failureOf(unknown)).code).toBe('transcript.unknown');
  });
});

describe('correlation', () => {
  test('of a request and of a call', async () => {
    const { client, add } = testEngine();
    const id = await add('thread.json', THREAD);
    const request = await client.call('correlate.request', { id, requestId: 'req_1' });
    expect(request.entries.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4]);
    expect(request).toMatchObject({ at: 1, callIds: ['call_1', 'call_2'] });
    const call = await client.call('correlate.call', { id, callId: 'call_3' });
    expect(call.entries.map(({ index, via }) => [index, via])).toEqual([
      [5, 'ref'],
      [7, 'ref'],
      [8, 'answers'],
    ]);
    expect(call.at).toBe(7);
    expect(await client.call('correlate.call', { id, callId: 'none' })).toEqual({ entries: [], at: null, callIds: [] });
  });
});
