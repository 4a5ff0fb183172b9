// What is remembered must not outlive what it was made from: counts, written summaries, models, relations; and what came
// while something was under way must not be lost when it ends.
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { WorkQueue } from '../../core/engine/session/workQueue.ts';
import type { EngineClient } from '../../core/protocol/client.ts';
import { relatedGrowth, writeRelatedSessions } from '../support/relatedSessions.ts';
import { arrive, type ManualEngine, manualEngine } from './manualEngine.ts';
import { failureOf, MESSAGES, sessionFile } from './support.ts';

const TEXTS = Array.from({ length: 12 }, (_, i) => ({
  role: i % 2 === 0 ? 'user' : 'assistant',
  content: `Number ${i}: strawberries, gooseberries, and unaccountable counterrevolutionaries.`,
}));

async function opened(engine: ManualEngine, messages: readonly Record<string, unknown>[] = TEXTS) {
  const path = join(engine.dir, 'session.jsonl');
  writeFileSync(path, sessionFile(messages));
  const [id = ''] = await engine.take(path);
  const client = engine.connect();
  const info = await client.call('transcript.open', { id });
  engine.passTime();
  return { path, id, client, info };
}

const rawTotal = async (client: EngineClient, id: string) =>
  (await client.call('projection.set', { id, spec: 'raw', at: null })).raw.total;

const countingJobs = ({ jobs }: ManualEngine) =>
  jobs.list().filter(({ kind, state }) => kind === 'tokens' && (state === 'queued' || state === 'running'));

/** Counts as a job does; it has not said yet that it is done. */
async function countUntold(engine: ManualEngine, id: string): Promise<string> {
  const [job] = countingJobs(engine);
  const { request } = engine.jobs.started.find((one) => one.id === job?.jobId)!;
  if (request.kind !== 'tokens') throw new Error('no job counts');
  await engine.count(id, request.tokenizer);
  return job!.jobId;
}

describe('counts', () => {
  test('that are there before anybody was told of them are in the table of presets once somebody was', async () => {
    const engine = manualEngine();
    const { id, client } = await opened(engine);
    const estimated = await rawTotal(client, id);
    const job = await countUntold(engine, id);
    const presets = async () =>
      (await client.call('budget.presets', { id, at: null, firstOver: true })).figures[0]?.tokens?.total;
    expect(await presets()).toBe(estimated);
    engine.jobs.finish(job);
    engine.passTime();
    const counted = await rawTotal(client, id);
    expect(counted).not.toBe(estimated);
    expect(await presets()).toBe(counted);
  });

  test('of what came in while a job counted are made by another', async () => {
    const engine = manualEngine();
    const { path, id, client } = await opened(engine);
    const job = await countUntold(engine, id);
    writeFileSync(path, sessionFile([...TEXTS, ...TEXTS]));
    await engine.take(path);
    engine.news([id]);
    engine.passTime();
    expect(countingJobs(engine)).toHaveLength(1);
    engine.jobs.finish(job);
    engine.passTime();
    expect(countingJobs(engine)).toHaveLength(1);
    engine.jobs.finish(await countUntold(engine, id));
    engine.passTime();
    expect(countingJobs(engine)).toHaveLength(0);
    expect((await client.call('transcript.open', { id })).counted).toBe(1);
  });
});

test('a session that goes on with another model of the same tokenizer is counted by its rules', async () => {
  const engine = manualEngine();
  const model = (name: string, text: string) => text.replaceAll('claude-sonnet-4-5', name);
  const path = join(engine.dir, 'session.jsonl');
  // Both count texts alike, and images each in its own way.
  const [first, then] = ['gpt-4o', 'gpt-5'];
  writeFileSync(path, model(first, sessionFile(MESSAGES.slice(0, 4))));
  const [id = ''] = await engine.take(path);
  const client = engine.connect();
  const before = await client.call('transcript.open', { id });
  appendFileSync(path, model(then, sessionFile(MESSAGES).split('\n').slice(4).join('\n')));
  await engine.take(path);
  engine.news([id]);
  await arrive();
  const fresh = manualEngine(engine.dir).connect();
  expect((await fresh.call('transcript.open', { id })).tokenizer).toBe(before.tokenizer);
  expect(await rawTotal(client, id)).toBe(await rawTotal(fresh, id));
});

test('a projection is not remembered as that of the summary it was begun with, if another was written meanwhile', async () => {
  const engine = manualEngine();
  const { id, client } = await opened(engine);
  const stages = [
    { kind: 'custom', options: { projector: 'm => m' } },
    { kind: 'summary', options: { when: 'always', keep_turns: 1 } },
  ];
  const shown = async () => {
    const rows = { from: 0, to: 100 };
    const set = client.call('projection.set', { id, spec: { version: 1, stages }, at: null, rows });
    await arrive();
    return { set, text: async () => JSON.stringify((await set).rows?.rows) };
  };
  const { sandbox } = engine;
  const summary = { id, from: 0, to: 10 };
  await client.call('summaries.set', { ...summary, content: 'The first summary.' });
  const during = await shown();
  await vi.waitUntil(() => sandbox.waiting.length > 0);
  const { version } = await client.call('summaries.set', { ...summary, content: 'The second one.' });
  sandbox.letOneRun();
  expect(await during.text()).toContain('The second one.');
  await client.call('summaries.remove', { ...summary, version });
  const after = await shown();
  await Promise.race([after.set, vi.waitUntil(() => sandbox.waiting.length > 0)]);
  sandbox.letOneRun();
  expect(await after.text()).toContain('The first summary.');
});

test('what was begun before a transcript went back is told so, however long it took', async () => {
  const engine = manualEngine();
  const { before, rest } = relatedGrowth();
  const path = join(engine.dir, 'related.jsonl');
  const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');
  writeFileSync(path, text(before));
  const [id = ''] = await engine.take(path);
  const client = engine.connect();
  await client.call('transcript.open', { id });
  const stages = [{ kind: 'custom', options: { projector: 'm => m' } }, { kind: 'hygiene' }];
  const asked = client.call('projection.set', { id, spec: { version: 1, stages }, at: null });
  await vi.waitUntil(() => engine.sandbox.waiting.length > 0);
  writeFileSync(path, text([...before, ...rest]));
  await engine.take(path);
  engine.news([id]);
  const later = performance.now() + 3_600_000;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => later);
  engine.sandbox.letOneRun();
  const error = await failureOf(asked).finally(() => clock.mockRestore());
  expect(error).toMatchObject({ code: 'transcript.changed', expected: true });
});

test('a transcript that is brought back has its place in the list, and so has what belongs to it', async () => {
  const engine = manualEngine();
  const { session, agent } = writeRelatedSessions(engine.dir);
  const ids = [...(await engine.take(session)), ...(await engine.take(agent))];
  const client = engine.connect();
  const places = async () => {
    const { transcripts } = await client.call('library.list', {});
    return new Map(transcripts.map(({ id, under }) => [id, under]));
  };
  const before = await places();
  expect(before.size).toBe(4);
  for (const id of ids) {
    await client.call('library.remove', { ids: [id] });
    expect((await places()).size).toBe(3);
    await client.call('library.restore', { ids: [id] });
    expect(await places()).toEqual(before);
  }
});

test('nothing is written while the library is written anew', async () => {
  const engine = manualEngine();
  const client = engine.connect();
  const job = engine.jobs.start({ kind: 'compact', bytes: 1 });
  engine.jobs.run(job);
  const path = join(engine.dir, 'session.jsonl');
  writeFileSync(path, sessionFile(TEXTS));
  const mapping = {
    mapping: 1,
    name: 'desk',
    at: '$',
    messages: [{ role: { path: '@.who', otherwise: 'user' }, text: '@.body' }],
  };
  const done: string[] = [];
  const calls = {
    'mapping.save': client.call('mapping.save', { name: 'desk', mapping }),
    'mapping.remove': client.call('mapping.remove', { name: 'none' }),
    'import.start': client.call('import.start', { paths: [path], mapping }),
    'follow.start': client.call('follow.start', { path }),
    'follow.stop': client.call('follow.stop', { path: '/nowhere' }),
  };
  for (const [name, call] of Object.entries(calls))
    void call.then(
      () => done.push(name),
      (error: unknown) => done.push(String(error)),
    );
  // Long enough for the disk, which is asked whether the path is there.
  await new Promise((resolve) => setImmediate(resolve));
  await engine.take(path);
  expect(done).toEqual([]);
  engine.jobs.finish(job);
  await Promise.all(Object.values(calls));
  expect(done.sort()).toEqual(Object.keys(calls).sort());
});

test('a hash that a client waits for ends when the client leaves', async () => {
  const engine = manualEngine();
  const { id } = await opened(engine);
  const client = engine.connect();
  const { projectionId } = await client.call('projection.set', { id, spec: 'reachability_gc', at: null, hash: 'none' });
  const background = vi.spyOn(WorkQueue.prototype, 'background');
  const asked = client.call('projection.hash', { projectionId });
  await arrive();
  const hashing = background.mock.calls.findIndex(([rank]) => rank === 'hash');
  client.close();
  await expect(asked).rejects.toThrow('connection');
  const task = background.mock.results[hashing];
  background.mockRestore();
  expect(await task?.value.done).toEqual({ ok: false, error: 'ended' });
});
