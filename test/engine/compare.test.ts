// Two policies over the protocol: rows that are both requests, the list that the command line prints, sums as `sweep` has them.
import { expect, test } from 'vitest';
import type { ComparedRow } from '../../core/protocol/compareTypes.ts';
import type { Methods } from '../../core/protocol/methods.ts';
import { failureOf, testEngine, whenCounted } from './support.ts';

const call = (id: string, path: string) => ({
  role: 'assistant',
  content: '',
  tool_calls: [{ id, type: 'function', function: { name: 'read_file', arguments: JSON.stringify({ path }) } }],
});
const result = (id: string, text: string) => ({ role: 'tool', tool_call_id: id, content: text });
const say = (role: string, content: string) => ({ role, content });

/** Twelve turns; the first result is read again in the last. */
const MESSAGES = Array.from({ length: 12 }, (_, turn) => {
  const name = turn === 11 ? 'harbour_0' : `harbour_${turn}`;
  const text = `berth_99${name} ${`${name} quay `.repeat(60)}`;
  return [
    say('user', `Look at ${turn}.`),
    call(`c${turn}`, `docs/${name}.md`),
    result(`c${turn}`, text),
    say('assistant', `Seen ${turn}.`),
  ];
}).flat();
const A = 'raw';
const B = { version: 1, name: 'three', stages: [{ kind: 'sliding_window', options: { turns: 3 } }] };

async function opened() {
  const { client, add } = testEngine();
  const id = await add('s.json', JSON.stringify({ model: 'gpt-4o', messages: MESSAGES }));
  await client.call('transcript.open', { id });
  await whenCounted(client, id);
  await client.call('projection.set', { id, spec: A, at: null });
  return { client, id };
}

const textsOf = (rows: readonly ComparedRow[], side: 'a' | 'b') =>
  rows.flatMap((row) => (row.kind === 'line' && row[side] ? [row[side].index] : []));

test('rows are both requests: what one holds alone, what both do, equal runs folded', async () => {
  const { client, id } = await opened();
  const info = await client.call('compare.set', { id, a: A, b: B, at: null, rows: { from: 0, to: 100 } });
  expect(info).toMatchObject({ equal: false, counts: { equal: 12, only_a: 36, only_b: 0, text: 0 }, final: true });
  expect(info.a.items).toBe(48);
  expect(info.b.items).toBe(12);
  expect(textsOf(info.rows.rows, 'a')).toEqual([...Array(37).keys()]);
  expect(textsOf(info.rows.rows, 'b')).toEqual([36]);
  expect(info.rows.rows.at(-1)).toMatchObject({ kind: 'fold', from: 37, to: 48, first: 37, last: 47 });
  // Opened, its messages have rows.
  const open = await client.call('compare.set', { id, a: A, b: B, at: null, open: [{ from: 37, to: 48 }] });
  expect(open.rows.total).toBe(48);
  const { rows } = await client.call('compare.rows', { comparisonId: open.comparisonId, from: 40, to: 500 });
  expect(textsOf(rows, 'b')).toEqual([40, 41, 42, 43, 44, 45, 46, 47]);
  const { projectionId } = await client.call('projection.set', { id, spec: B, at: null });
  const { text } = await client.call('projection.text', { projectionId, what: 'messages' });
  expect(JSON.parse(text)).toHaveLength(info.b.items);
  const projected = await client.call('projection.set', { id, spec: A, at: null });
  expect(info.a.tokens).toBe(projected.projected.total);
});

test('the list: by what differs, those used later first, in pages', async () => {
  const { client, id } = await opened();
  const { comparisonId } = await client.call('compare.set', { id, a: A, b: B, at: null });
  const ask = (more: Partial<Methods['compare.messages']['params']>) =>
    client.call('compare.messages', { comparisonId, kind: 'all', used: false, from: 0, to: 10, ...more });
  const all = await ask({});
  expect(all).toMatchObject({ total: 36, counts: { all: 36, only_a: 36, only_b: 0, text: 0, fate: 0 } });
  expect(all.messages).toHaveLength(10);
  // The result that was read again.
  expect(all.messages.find(({ index }) => index === 2)).toMatchObject({ differs: 'only_a', tokensB: null, users: 1 });
  const used = await ask({ used: true });
  expect(used.total).toBe(all.used);
  expect(used.messages.every(({ users }) => users > 0)).toBe(true);
  expect((await ask({ kind: 'text' })).messages).toEqual([]);
});

test('next difference, and both texts of a line', async () => {
  const { client, id } = await opened();
  const info = await client.call('compare.set', { id, a: B, b: A, at: null });
  const { comparisonId } = info;
  expect((await client.call('compare.next', { comparisonId, line: -1, direction: 1 })).next).toEqual({
    line: 0,
    row: 0,
  });
  expect((await client.call('compare.next', { comparisonId, line: 0, direction: 1 })).next).toBeNull();
  const texts = await client.call('compare.texts', { comparisonId, line: 0 });
  expect(texts).toMatchObject({ mark: 'only_b', a: null, b: { parts: [{ label: 'user', text: 'Look at 0.' }] } });
  expect(await failureOf(client.call('compare.texts', { comparisonId, line: 999 }))).toMatchObject({
    code: 'compare.no_such_line',
  });
  expect(await failureOf(client.call('compare.rows', { comparisonId: 'x', from: 0, to: 1 }))).toMatchObject({
    code: 'compare.unknown',
  });
});

test('along the session: sums, lines, where the requests differ; seen from the other side the same', async () => {
  const { client, id } = await opened();
  const along = await client.call('compare.along', { id, a: A, b: B });
  // Messages 12 and 13 make the fourth turn: from there the window acts.
  expect(along.firstDifferenceAt).toBe(13);
  expect(along).toMatchObject({ differing: along.points.filter(({ at }) => at >= 13).length, messages: 36 });
  expect(along.runs).toEqual([[13, MESSAGES.length]]);
  expect(along.a.tokens.peak).toBe(Math.max(...along.points.map(({ a }) => a)));
  expect(along.b.cacheBreaks).toBe(along.b.breaksAt.length);
  expect([along.a.usesGone, along.b.usesGone > 0]).toEqual([0, true]);
  const { figures } = await client.call('budget.presets', {
    id,
    at: null,
    sums: true,
    policies: [{ name: 'b', title: 'b', spec: B }],
  });
  const own = figures.find(({ name }) => name === 'b');
  expect(own?.sums?.breaks).toBe(along.b.cacheBreaks);
  const back = await client.call('compare.along', { id, a: B, b: A });
  expect([back.a, back.b]).toEqual([along.b, along.a]);
});

test('equal policies say so', async () => {
  const { client, id } = await opened();
  const info = await client.call('compare.set', { id, a: A, b: { version: 1, stages: [] }, at: 12 });
  expect(info).toMatchObject({ equal: true, equalFromStart: info.a.tokens });
  expect(await client.call('compare.along', { id, a: A, b: { version: 1, stages: [] } })).toMatchObject({
    firstDifferenceAt: null,
    differing: 0,
    runs: [],
  });
});

test('a message that one of them merged is in both: within which, and in what other text', async () => {
  const { client, add } = testEngine();
  const messages = [say('user', 'one'), say('user', 'two'), say('assistant', 'three'), say('user', 'four')];
  const id = await add('s.json', JSON.stringify({ model: 'claude-sonnet-4-5', messages }));
  await client.call('transcript.open', { id });
  await whenCounted(client, id);
  const b = { version: 1, stages: [{ kind: 'hygiene', options: { profile: 'anthropic' } }] };
  const info = await client.call('compare.set', { id, a: 'raw', b, at: null, rows: { from: 0, to: 100 } });
  const lines = info.rows.rows.flatMap((row) => (row.kind === 'line' ? [[row.index, row.mark, row.within]] : []));
  expect(lines).toEqual([
    [0, 'text', null],
    [1, 'text', { index: 0 }],
    [2, 'equal', null],
    [3, 'equal', null],
  ]);
  expect(info.counts).toMatchObject({ only_a: 0, only_b: 0, text: 2 });
  const texts = await client.call('compare.texts', { comparisonId: info.comparisonId, line: 1 });
  expect(texts.a?.parts.map(({ text }) => text)).toEqual(['two']);
  expect(texts.b?.parts.map(({ text }) => text)).toEqual(['one', 'two']);
});
