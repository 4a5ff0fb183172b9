// Sweeps of an open library: the same figures as the command's, kept, not computed again, ended by whoever began them.
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import type { EngineClient } from '../../core/protocol/client.ts';
import type { AskedSweep, SweepInfo } from '../../core/protocol/tuneTypes.ts';
import { runCli } from '../support/cli.ts';
import { compactedSession } from '../support/compactedSession.ts';
import { claudeCodeFile } from '../support/generate.ts';
import { failureOf, nextEvent, testEngine } from './support.ts';

const SPEC = {
  version: 1,
  stages: ['clean_tool_repair', { kind: 'summary_prefix', options: { keep_last: 5 } }],
};

function asked(ids: readonly string[], values: string, more: Partial<AskedSweep> = {}): AskedSweep {
  const vary = [{ stage: 1, option: 'keep_last', values }];
  return { ids, spec: SPEC, vary, keep: [], aim: null, maxPeak: null, maxUsesGone: null, ...more };
}

async function swept(client: EngineClient, question: AskedSweep): Promise<SweepInfo> {
  const ended = nextEvent(client, 'tune', ({ state }) => state !== 'running');
  const { sweepId } = await client.call('tune.start', question);
  await ended;
  const info = await client.call('tune.get', { sweepId });
  if (info.failure !== null) throw new Error(info.failure);
  return info;
}

async function fromCli(file: string, ...more: readonly string[]) {
  const { stdout } = await runCli(['tune', file, '--spec', JSON.stringify(SPEC), '--json', ...more]);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

test('a sweep comes to what the command says of the file, also where usage is recorded', async () => {
  const { client, add, dir } = testEngine();
  const files = { 'plain.jsonl': claudeCodeFile({ messages: 80 }), 'recorded.jsonl': compactedSession().text };
  for (const [name, text] of Object.entries(files)) {
    const id = await add(name, text);
    const info = await swept(client, asked([id], '2..10:4', { keep: ['the'] }));
    expect(info).toMatchObject({ state: 'done', size: 3, known: 0, failure: null });
    const lines = await fromCli(join(dir, name), '--vary', 'summary_prefix.keep_last=2..10:4', '--keep', 'the');
    expect(lines).toHaveLength(3);
    for (const [at, line] of lines.entries()) {
      const { values, breaks = [], ...figures } = line;
      expect(info.points[at]).toMatchObject({ ...figures, breaks, values: Object.values(values) });
    }
  }
});

test('the watchpoints of a transcript are watched, and another one is another question', async () => {
  const { client, add } = testEngine();
  const text = claudeCodeFile({ messages: 60 });
  const id = await add('a.jsonl', text);
  const question = asked([id], '2,40');
  const without = await swept(client, question);
  expect(without.asked).not.toHaveProperty('watched');
  await client.call('watch.add', { id, message: { index: 0, part: null } });
  const watched = await swept(client, question);
  expect(watched).toMatchObject({ asked: { watched: 1, keep: [] }, known: 0 });
  expect(watched.sweepId).not.toBe(without.sweepId);
  const { watchpoints } = await client.call('watch.list', { id });
  const given = await swept(client, asked([id], '2,40', { keep: watchpoints.map((one) => one.text) }));
  const gone = (info: SweepInfo) => info.points.map((point) => point.watchpointsGone);
  expect(gone(watched)).toEqual(gone(given));
  expect(gone(watched)).toContain(1);
  expect(watched.points.map(({ breaks }) => breaks.includes('keep'))).toEqual(gone(watched).map((count) => count > 0));
  // Asked again as it was, it is the same sweep.
  expect((await swept(client, watched.asked)).sweepId).toBe(watched.sweepId);
});

test('what was computed is not computed again, until the transcript is another one', async () => {
  const { client, add } = testEngine();
  const id = await add('a.jsonl', claudeCodeFile({ messages: 60 }));
  const first = await swept(client, asked([id], '2,4,6'));
  expect(first.known).toBe(0);
  const more = await swept(client, asked([id], '4,6,8'));
  expect(more.known).toBe(2);
  expect(more.points.slice(0, 2).map(({ cost }) => cost)).toEqual(first.points.slice(1).map(({ cost }) => cost));
  const other = await swept(client, asked([id], '4,6,8', { keep: ['something nobody says'] }));
  expect(other.known).toBe(0);
  expect(other.unsaid).toEqual(['something nobody says']);
  const { sweeps } = await client.call('tune.list', { id });
  expect(sweeps).toHaveLength(3);
});

test('a sweep that was stopped goes on where it was, in another engine too', async () => {
  const engine = testEngine();
  const id = await engine.add('a.jsonl', claudeCodeFile({ messages: 240 }));
  const question = asked([id], '2..60');
  const some = nextEvent(engine.client, 'tune', ({ points }) => points > 0);
  const { sweepId } = await engine.client.call('tune.start', question);
  await some;
  await engine.client.call('tune.stop', { sweepId });
  const stopped = await engine.client.call('tune.get', { sweepId });
  expect(stopped.state).toBe('stopped');
  expect(stopped.points.length).toBeGreaterThan(0);
  expect(stopped.points.length).toBeLessThan(59);
  await engine.dispose();
  const again = testEngine(engine.dir);
  expect((await again.client.call('tune.list', { id })).sweeps).toMatchObject([
    { sweepId, state: 'stopped', size: 59 },
  ]);
  const whole = await swept(again.client, question);
  expect(whole).toMatchObject({ sweepId, state: 'done', size: 59 });
  expect(whole.known).toBeGreaterThanOrEqual(stopped.points.length);
  expect(whole.points.map(({ values }) => values[0])).toEqual(Array.from({ length: 59 }, (_, at) => at + 2));
});

test.each([
  ['another version of the program', ({ found }: KeptSweep) => ({ found: { ...found, program: '0.0.1' } })],
  ['another shape', ({ found }: KeptSweep) => ({ found: { ...found, version: 1 } })],
  ['points that are none', ({ found }: KeptSweep) => ({ found: { ...found, points: [{ cost: 'much' }] } })],
])('a sweep of %s is listed, shows no figures, and runs again', async (_, change) => {
  const engine = testEngine();
  const id = await engine.add('a.jsonl', claudeCodeFile({ messages: 60 }));
  const question = asked([id], '2,4');
  const { sweepId, points } = await swept(engine.client, question);
  await engine.dispose();
  rewriteSweeps(engine.dir, change);
  const { client } = testEngine(engine.dir);
  const { sweeps } = await client.call('tune.list', { id });
  expect(sweeps).toMatchObject([{ sweepId, vary: question.vary }]);
  const info = await client.call('tune.get', { sweepId });
  expect(info).toMatchObject({ state: 'outdated', points: [], asked: question });
  expect(await failureOf(client.call('tune.export', { sweepId, format: 'csv' }))).toMatchObject({
    code: 'tune.unknown',
  });
  const again = await swept(client, info.asked);
  expect(again).toMatchObject({ sweepId, state: 'done' });
  expect(again.points).toEqual(points);
});

test('a sweep whose question cannot be read is listed too, and said to be of another version', async () => {
  const engine = testEngine();
  const id = await engine.add('a.jsonl', claudeCodeFile({ messages: 60 }));
  const { sweepId } = await swept(engine.client, asked([id], '2'));
  await engine.dispose();
  rewriteSweeps(engine.dir, ({ found }) => ({ found, asked: { ids: [id], vary: 'keep_last' } }));
  const { client } = testEngine(engine.dir);
  expect((await client.call('tune.list', { id })).sweeps).toMatchObject([{ sweepId, vary: [] }]);
  const { message } = await failureOf(client.call('tune.get', { sweepId }));
  expect(message).toBe('Another version made this sweep: run it again.');
});

interface KeptSweep {
  readonly found: Readonly<Record<string, unknown>>;
  readonly asked?: unknown;
}

/** Rewrites the sweeps that a library keeps, as another program would have written them. */
function rewriteSweeps(dir: string, change: (kept: KeptSweep) => KeptSweep): void {
  const db = new Database(join(dir, 'library', 'library.sqlite'));
  const rows = db
    .prepare<[], { id: string; asked: string; found: string }>('SELECT id, asked, found FROM sweeps')
    .all();
  for (const row of rows) {
    const { found, asked: question = JSON.parse(row.asked) } = change({ found: JSON.parse(row.found) });
    const own = [JSON.stringify(found), JSON.stringify(question), row.id];
    db.prepare('UPDATE sweeps SET found = ?, asked = ? WHERE id = ?').run(...own);
  }
  db.close();
}

test('several transcripts: the sums of all, and each', async () => {
  const { client, add } = testEngine();
  const a = await add('a.jsonl', claudeCodeFile({ messages: 60 }));
  const b = await add('b.jsonl', claudeCodeFile({ messages: 24, seed: 9 }));
  const both = await swept(client, asked([a, b], '4'));
  const own = [await swept(client, asked([a], '4')), await swept(client, asked([b], '4'))];
  expect(own.map(({ known }) => known)).toEqual([1, 1]);
  const [point] = both.points;
  expect(point?.transcripts.map(({ id, cost }) => [id, cost])).toEqual(
    own.map(({ asked: { ids }, points }) => [ids[0], points[0]?.cost]),
  );
  expect(point?.cost).toBeCloseTo((own[0]?.points[0]?.cost ?? 0) + (own[1]?.points[0]?.cost ?? 0), 9);
});

test('an aim finds the best point and proves it; the export says what the command says', async () => {
  const { client, add, dir } = testEngine();
  const id = await add('a.jsonl', claudeCodeFile({ messages: 60 }));
  const info = await swept(client, asked([id], '2,6,10', { aim: 'tokens' }));
  const best = info.points.filter((point) => point.best);
  expect(best).toMatchObject([{ proved: true }]);
  expect(best[0]?.tokens.mean).toBe(Math.min(...info.points.map(({ tokens }) => tokens.mean)));
  const vary = ['--vary', 'summary_prefix.keep_last=2,6,10', '--aim', 'tokens'];
  const args = ['tune', join(dir, 'a.jsonl'), '--spec', JSON.stringify(SPEC), ...vary];
  for (const format of ['csv', 'ndjson'] as const) {
    const { text, name } = await client.call('tune.export', { sweepId: info.sweepId, format });
    const { stdout } = await runCli([...args, `--${format}`]);
    expect(name.endsWith(format)).toBe(true);
    expect(text).toBe(stdout);
  }
});

test('what cannot be varied is refused in words', async () => {
  const { client, add } = testEngine();
  const id = await add('a.jsonl', claudeCodeFile({ messages: 20 }));
  const refusal = async (question: AskedSweep) => (await failureOf(client.call('tune.start', question))).message;
  expect(await refusal(asked([id], 'x'))).toContain('keep_last cannot be x');
  expect(await refusal(asked(['nothing'], '4'))).toContain('no transcript nothing');
  const spec = { version: 1, stages: ['reachability_gc', 'summary_prefix'] };
  const vary = [
    { stage: 0, option: 'root_window', values: '1..40' },
    { stage: 1, option: 'keep_last', values: '1..40' },
  ];
  await expect(swept(client, asked([id], '4', { spec, vary }))).rejects.toThrow('1,600 points; 1,000 at most');
});
