import { expect, test } from 'vitest';
import type { EngineClient } from '../../core/protocol/client.ts';
import type { UsageInfo } from '../../core/protocol/types.ts';
import { compactedSession } from '../support/compactedSession.ts';
import { failureOf, nextEvent, sessionFile, testEngine } from './support.ts';

/** The report, once the transcript is counted. */
async function usageOf(client: EngineClient, id: string, at?: number): Promise<UsageInfo> {
  for (;;) {
    const counted = nextEvent(client, 'transcript', (event) => event.id === id);
    const info = await client.call('transcript.usage', { id, from: 0, to: 1000, ...(at !== undefined && { at }) });
    if (info.state === 'ready') return info;
    await counted;
  }
}

test('recorded usage is held against what the runtime kept', async () => {
  const { client, add } = testEngine();
  const session = compactedSession();
  const id = await add('session.jsonl', session.text);
  await client.call('transcript.open', { id });
  const usage = await usageOf(client, id, session.dropIndex);
  expect(usage.total).toBe(24);
  expect(usage.requests.map(({ at }) => at).slice(0, 3)).toEqual([1, 3, 5]);
  expect(usage.problems.map(({ code, where }) => [code, where?.index])).toEqual([
    ['usage.unexplained_drop', session.dropIndex],
  ]);
  expect(usage.marks).toMatchObject([{ at: session.dropIndex, kind: 'drop' }]);
  expect(usage.figure).toMatchObject({ at: session.dropIndex, cacheWrite: 900 });
  // Before and after the compaction the same line holds: the history counted is that which the model saw. It is drawn
  // through the requests up to the fall: those since are too few for a line of their own.
  const [fit] = usage.fits;
  expect(fit?.requests).toBe(18);
  expect(fit?.residual).toBeLessThan(0.01);
  for (const { at, input, expected } of usage.requests)
    if (at < session.dropIndex) expect(Math.abs(input - (expected ?? 0))).toBeLessThan(0.03 * input);
  // 20,000 tokens of each request are in no message: what a Claude Code session does not record.
  expect(Math.abs((usage.overhead?.tokens ?? 0) - 20_000)).toBeLessThan(400);
  expect(usage.overhead).toMatchObject({ requests: 18, model: 'claude-sonnet-4-5' });
  const totals = usage.requests.reduce((sum, { input }) => sum + input, 0);
  expect(usage.totals.input).toBe(totals);
});

test('requests are given by page', async () => {
  const { client, add } = testEngine();
  const id = await add('session.jsonl', compactedSession().text);
  await usageOf(client, id);
  const page = await client.call('transcript.usage', { id, from: 2, to: 4 });
  expect(page.requests.map(({ at }) => at)).toEqual([5, 7]);
  expect(page.figure).toBeNull();
});

test('a transcript without usage has nothing to say', async () => {
  const { client, add } = testEngine();
  const id = await add('session.jsonl', sessionFile());
  expect(await usageOf(client, id)).toMatchObject({ total: 0, problems: [], fits: [], requests: [] });
  expect((await failureOf(client.call('transcript.usage', { id: 'nobody', from: 0, to: 1 }))).code).toBe(
    'transcript.unknown',
  );
});

test('presets are what their names say: after recorded compaction only where the name does', async () => {
  const { client, add } = testEngine();
  const id = await add('session.jsonl', compactedSession().text);
  const table = async (afterRecorded: boolean) => {
    const { figures } = await client.call('budget.presets', { id, at: null, afterRecorded });
    return new Map(figures.map(({ name, tokens }) => [name, tokens?.total ?? 0]));
  };
  const plain = await table(false);
  expect(plain.get('as_recorded')).toBeLessThan(0.6 * (plain.get('raw') ?? 0));
  expect(plain.get('clean_tool_repair')).toBe(plain.get('raw'));
  expect(plain.has('clean_tool_repair_after_recorded')).toBe(false);
  const after = await table(true);
  // Tokens may have been counted since the first table: what is compared stands in one.
  expect(after.get('clean_tool_repair_after_recorded')).toBe(after.get('as_recorded'));
  expect(after.get('as_recorded')).toBeLessThan(0.6 * (after.get('raw') ?? 0));
  expect(after.has('clean_tool_repair')).toBe(false);
  const other = await add('plain.jsonl', sessionFile());
  const names = (await client.call('budget.presets', { id: other, at: null, afterRecorded: true })).figures.map(
    ({ name }) => name,
  );
  expect(names.filter((name) => name.includes('recorded'))).toEqual([]);
});
