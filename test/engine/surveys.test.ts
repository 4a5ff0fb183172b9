// The library is looked through: what its lines say is what the session itself says, and what is not known is not "none".
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { defaultSpec } from '../../core/projection/presets.ts';
import type { EngineClient } from '../../core/protocol/client.ts';
import type { TranscriptSummary } from '../../core/protocol/types.ts';
import { nextEvent, testEngine, whenCounted } from './support.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures');
const FILES = ['claude-code/session.jsonl', 'codex/rollout.jsonl'];

const say = (role: string, content: string) => ({ role, content });
const CALL = { name: 'read_file', arguments: '{"path":"docs/harbour.md"}' };
const read = (id: string) => ({
  role: 'assistant',
  content: '',
  tool_calls: [{ id, type: 'function', function: CALL }],
});
const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: `berth_9917 ${'quay '.repeat(60)}` });
const MESSAGES = [say('user', 'Read it.'), read('a'), result('a'), say('assistant', 'Yes.'), say('user', 'Thanks.')];

async function list(client: EngineClient): Promise<readonly TranscriptSummary[]> {
  return (await client.call('library.list', {})).transcripts;
}

async function surveyed(client: EngineClient): Promise<readonly TranscriptSummary[]> {
  await client.call('survey.start', {});
  return surveys(client);
}

async function surveys(client: EngineClient): Promise<readonly TranscriptSummary[]> {
  for (;;) {
    const lines = await list(client);
    if (lines.every(({ survey }) => survey !== null)) return lines;
    await nextEvent(client, 'library', () => true);
  }
}

test('nothing is looked through before somebody asks; then each line says what its session says', async () => {
  const { client, add } = testEngine();
  for (const file of FILES) await add(file.replace('/', '-'), readFileSync(join(FIXTURES, file), 'utf8'));
  await add('plain.json', JSON.stringify({ model: 'gpt-4o', messages: MESSAGES }));
  const { jobId } = await client.call('sample.import', {});
  await client.call('import.result', { jobId });
  expect((await list(client)).filter(({ survey }) => survey !== null)).toEqual([]);
  let found = 0;
  for (const { id, survey } of await surveyed(client)) {
    const { compactions } = await client.call('transcript.open', { id });
    await whenCounted(client, id);
    const spec = defaultSpec(compactions > 0);
    const { findings, looksAtCache } = await client.call('findings.session', { id, spec });
    const counts = new Map<string, number>();
    for (const { kind } of findings) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    expect(new Map(survey?.findings.map(({ kind, count }) => [kind, count]))).toEqual(counts);
    expect(survey).toMatchObject({ looksAtCache, failure: null });
    found += findings.length;
  }
  // The sample has some: equal lists of nothing would prove nothing.
  expect(found).toBeGreaterThan(0);
});

test('what grows is not known until it is looked through again', async () => {
  const { client, add } = testEngine();
  const id = await add('plain.json', JSON.stringify({ model: 'gpt-4o', messages: MESSAGES }));
  const [before] = await surveyed(client);
  expect(before?.survey).toMatchObject({ findings: [], tools: ['read_file'], cost: null });
  await client.call('survey.stop', {});
  await client.call('prices.set', { rows: [{ model: 'gpt-4o', input: 9, cachedRead: 1, cacheWrite: 9 }] });
  expect((await list(client)).find((one) => one.id === id)?.survey).toBeNull();
  expect((await surveyed(client))[0]?.survey).not.toBeNull();
});

test('what is open is looked through where it is open, and is the same', async () => {
  const { client, add } = testEngine();
  const id = await add('codex-rollout.jsonl', readFileSync(join(FIXTURES, 'codex/rollout.jsonl'), 'utf8'));
  await client.call('transcript.open', { id });
  await whenCounted(client, id);
  const jobs: string[] = [];
  client.on('job', ({ kind }) => jobs.push(kind));
  const [open] = await surveyed(client);
  expect(jobs).not.toContain('survey');
  const other = testEngine();
  await other.add('codex-rollout.jsonl', readFileSync(join(FIXTURES, 'codex/rollout.jsonl'), 'utf8'));
  const [closed] = await surveyed(other.client);
  expect(open?.survey).not.toBeNull();
  expect(open?.survey).toEqual(closed?.survey);
});

test('what is opened while a look through the library waits is left to its own session', async () => {
  const { client, add, dir } = testEngine();
  const id = await add('plain.json', JSON.stringify({ model: 'gpt-4o', messages: MESSAGES }));
  const long = join(dir, 'long.json');
  const more = Array.from({ length: 8_000 }, (_, nth) => [read(`c${nth}`), result(`c${nth}`)]).flat();
  writeFileSync(long, JSON.stringify({ model: 'gpt-4o', messages: [say('user', 'Read.'), ...more] }));
  const states: string[] = [];
  client.on('job', ({ kind, state }) => {
    if (kind === 'survey') states.push(state);
  });
  const { jobId } = await client.call('import.start', { paths: [long] });
  const waiting = nextEvent(client, 'job', ({ kind, state }) => kind === 'survey' && state === 'queued');
  await client.call('survey.start', {});
  await waiting;
  await client.call('transcript.open', { id });
  expect(states).toEqual(['queued', 'cancelled']);
  await client.call('job.cancel', { jobId });
});

test('what is opened while it is looked through is left to its own session, and its first seconds to the reader', async () => {
  const earlier = testEngine();
  const lines = Array.from({ length: 400 }, (_, nth) => [
    read(`c${nth}`),
    result(`c${nth}`),
    say('user', `And ${nth}?`),
  ]);
  const id = await earlier.add(
    'long.json',
    JSON.stringify({ model: 'gpt-4o', messages: [say('user', 'Read.'), ...lines.flat()] }),
  );
  // What is not counted yet would not be looked through when it opens.
  await whenCounted(earlier.client, id);
  await earlier.dispose();
  const { client } = testEngine(earlier.dir);
  const states: string[] = [];
  client.on('job', ({ kind, state }) => {
    if (kind === 'survey') states.push(state);
  });
  const running = nextEvent(client, 'job', ({ kind, state }) => kind === 'survey' && state === 'running');
  await client.call('survey.start', {});
  await running;
  const found = surveys(client);
  const openedAt = performance.now();
  await client.call('transcript.open', { id });
  const [line] = await found;
  // Never sooner, however slow the machine.
  expect(performance.now() - openedAt).toBeGreaterThan(2_900);
  expect(line?.survey).toMatchObject({ failure: null });
  expect(states).toContain('cancelled');
  expect(states).not.toContain('done');
});
