// A session that several models answer: one cost, whoever is asked for it, and another one as soon as prices are others.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { EngineClient } from '../../core/protocol/client.ts';
import { runCli } from '../support/cli.ts';
import { tempDir } from '../support/tempLibrary.ts';
import { nextEvent, seriesOf, testEngine, whenCounted } from './support.ts';

const MODELS = ['claude-sonnet-4-5', 'claude-sonnet-4-5', 'mystery-1', 'claude-opus-5', 'claude-sonnet-4-5'];
const WORDS = Array.from({ length: 900 }, (_, i) => `berth${i}`).join(' ');
const windowOf = (turns: number) => ({ version: 1, stages: [{ kind: 'sliding_window', options: { turns } }] });
const SPEC = windowOf(6);
/** What was read is gone when it is read again. */
const FORGETS = windowOf(1);

/** Claude Code's lines: in each of ten turns a file is read, always the same, and an answer is given. */
function sessionText(): string {
  const lines: string[] = [];
  const say = (type: string, message: Record<string, unknown>) => {
    const n = lines.length;
    const timestamp = new Date(Date.UTC(2026, 0, 5, 9, 0, 20 * n)).toISOString();
    const base = { parentUuid: n === 0 ? null : `u${n - 1}`, uuid: `u${n}`, sessionId: 's', cwd: '/w', timestamp };
    lines.push(
      JSON.stringify({ ...base, isSidechain: false, version: '2.0.14', type, message: { role: type, ...message } }),
    );
  };
  for (let turn = 0; turn < 10; turn++) {
    const model = MODELS[turn % MODELS.length] ?? '';
    const [id, used] = [`msg_${turn}`, { input_tokens: 40 + turn, cache_read_input_tokens: 1000 * turn }];
    const usage = { ...used, cache_creation_input_tokens: 900, output_tokens: 70 };
    const input = { file_path: '/w/harbour.md' };
    say('user', { content: `Look again, number ${turn}.` });
    say('assistant', {
      id,
      type: 'message',
      model,
      usage,
      content: [{ type: 'tool_use', id: `t${turn}`, name: 'Read', input }],
    });
    say('user', { content: [{ type: 'tool_result', tool_use_id: `t${turn}`, content: WORDS }] });
    say('assistant', {
      id: `${id}b`,
      type: 'message',
      model,
      usage,
      content: [{ type: 'text', text: `Seen ${turn}.` }],
    });
  }
  return `${lines.join('\n')}\n`;
}

async function surveyed(client: EngineClient) {
  await client.call('survey.start', {});
  for (;;) {
    const [line] = (await client.call('library.list', {})).transcripts;
    if (line?.survey) return line.survey;
    await nextEvent(client, 'library', () => true);
  }
}

/** What is said of the session's cost, by everybody who says anything of it. */
async function costsOf(client: EngineClient, id: string) {
  await whenCounted(client, id);
  const { cost, points } = await seriesOf(client, id, SPEC);
  const { a, b } = await client.call('compare.along', { id, a: SPEC, b: 'raw' });
  const policies = [{ name: 'mine', title: 'Mine', spec: SPEC }];
  const { figures } = await client.call('budget.presets', { id, at: null, sums: true, policies });
  const priced = await client.call('keep.price', { id, spec: 'raw', changed: SPEC, at: null });
  const uses = await client.call('uses.message', { id, spec: FORGETS, index: 2 });
  const { findings } = await client.call('findings.session', { id, spec: FORGETS });
  const { cost: surveyedCost, unpriced } = await surveyed(client);
  const stats = await client.call('library.stats', { filter: '', zone: 'UTC' });
  return {
    ...{ cost, points: points.map(({ cache, model }) => [model, cache?.cost, cache?.loss]) },
    ...{ along: a, raw: b.cost, mine: figures.find(({ name }) => name === 'mine')?.sums },
    ...{
      kept: priced.costSession,
      keptUnpriced: priced.unpriced,
      uses: uses.later.map(({ at, cost: own }) => [at, own]),
    },
    ...{ findings: findings.map(({ kind, at, cost: own }) => [kind, at, own]) },
    ...{ surveyed: surveyedCost, unpriced, stats: [stats.total.cost, stats.total.unpriced] },
  };
}

test('is one figure in the app and on the command line, and says what has no price', async () => {
  const { client, add } = testEngine();
  const id = await add('session.jsonl', sessionText());
  await client.call('transcript.open', { id });
  const { cost, ...said } = await costsOf(client, id);
  // Two of ten turns, of two requests each.
  expect(cost).toMatchObject({ requests: 20, unpriced: 4, recordedRequests: 16, answers: 16 });
  expect(said).toMatchObject({ unpriced: 4, keptUnpriced: 4, along: { unpriced: 4 }, mine: { unpriced: 4 } });
  const policy = (cost?.policy ?? 0) - (cost?.output ?? 0);
  expect(said.mine?.cost).toBeCloseTo(policy, 9);
  expect((said.along.cost ?? 0) - (said.along.costOfNext ?? 0)).toBeCloseTo(policy, 9);
  expect(said.kept).toBeCloseTo((said.along.cost ?? 0) - (said.raw ?? 0), 9);
  expect(said.surveyed).toBeCloseTo(cost?.recorded ?? 0, 9);
  expect(said.stats).toEqual([said.surveyed, 4]);
  const { models } = await client.call('prices.get', { id });
  const rows = models.map(({ model, price }) => [model, price?.model ?? null]);
  expect(rows).toEqual([
    ['claude-sonnet-4-5', 'claude-sonnet-4-5'],
    ['mystery-1', null],
    ['claude-opus-5', 'claude-opus-5'],
  ]);
  // The cache of a model is not another's: at each change, and nowhere else.
  const changes = said.points.flatMap(([, , loss], nth) =>
    typeof loss === 'object' && loss?.why === 'model' ? [nth] : [],
  );
  expect(changes.length).toBeGreaterThan(0);
  for (const nth of changes) expect(said.points[nth]?.[0]).not.toBe(said.points[nth - 1]?.[0]);

  const file = join(tempDir(), 'session.jsonl');
  writeFileSync(file, sessionText());
  const usage = JSON.parse((await runCli(['usage', file, '--json'])).stdout);
  expect(usage.cost).toMatchObject({ requests: 16, unpriced: 4 });
  expect(usage.cost.total).toBeCloseTo(cost?.recorded ?? 0, 9);
  expect((await runCli(['usage', file])).stdout).toContain('input and output; 4 of 20 requests have no price: $');
  const sweep = await runCli(['sweep', file, '--spec', JSON.stringify(SPEC)]);
  const lines: { at: number; cost: number | null }[] = sweep.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.filter((line) => line.cost === null)).toHaveLength(4);
  expect(lines.slice(0, -1).reduce((sum, line) => sum + (line.cost ?? 0), 0)).toBeCloseTo(policy, 9);
  expect(sweep.stderr).toContain('it was lost to a change of model at ');
  expect(sweep.stderr).toContain('4 of 20 requests have no price');
  expect(sweep.stderr).toContain('(prices of claude-sonnet-4-5 and claude-opus-5)');
});

test('is another one at once where prices are, for whoever was told the old one', async () => {
  const rows = [
    { model: 'claude-sonnet-4-5', input: 9, cachedRead: 1, cacheWrite: 11, output: 30 },
    { model: 'mystery-1', input: 2, cachedRead: 1, cacheWrite: 2, output: 3 },
  ];
  const open = testEngine();
  const id = await open.add('session.jsonl', sessionText());
  await open.client.call('transcript.open', { id });
  // Twice: the first time it may still be calibrated.
  await costsOf(open.client, id);
  const before = await costsOf(open.client, id);
  await open.client.call('prices.set', { rows });
  const fresh = testEngine();
  await fresh.client.call('prices.set', { rows });
  const other = await fresh.add('session.jsonl', sessionText());
  await fresh.client.call('transcript.open', { id: other });
  const [after, wanted] = [await costsOf(open.client, id), await costsOf(fresh.client, other)];
  expect(after).toEqual(wanted);
  // Now it is another model that has no price.
  expect(after.cost).toMatchObject({ requests: 20, unpriced: 4 });
  for (const [name, value] of Object.entries(before)) {
    if (!/npriced$/.test(name)) expect([name, after[name as keyof typeof after]]).not.toEqual([name, value]);
  }
});
