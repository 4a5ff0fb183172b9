// Rows under a filter, against the rows of the same projection without one: what a row shows of itself decides.
import { expect, it } from 'vitest';
import { PRESETS } from '../../core/projection/presets.ts';
import type { EngineClient } from '../../core/protocol/client.ts';
import type { Row, RowsFilter } from '../../core/protocol/types.ts';
import { claudeCodeFile } from '../support/generate.ts';
import { testEngine, whenCounted } from './support.ts';

const POLICIES = PRESETS.filter(({ name }) =>
  [
    'raw',
    'squash_failed_calls',
    'retention',
    'window_40',
    'provider_hygiene',
    'summary_prefix_12',
    'context_default',
  ].includes(name),
);

const FILTERS: readonly (readonly [string, (row: Row) => boolean])[] = [
  ['fate:kept', ({ fate }) => fate === 'kept'],
  ['fate:cleared OR fate:dropped', ({ fate }) => fate === 'redacted' || fate === 'dropped'],
  ['fate:synthetic', ({ fate }) => fate === 'synthetic'],
  ['in:request', (row) => row.projected !== null || row.elsewhere !== undefined],
  ['-in:request', (row) => row.projected === null && row.elsewhere === undefined],
  ['kind:result tokens>100', (row) => row.partKind === 'tool_result' && (row.raw?.tokens ?? 0) > 100],
  ['is:error', ({ badges }) => badges.includes('error')],
  ['index<40', (row) => row.index < 40],
  ['fate:kept fate:dropped', () => false],
];

async function rowsUnder(engine: EngineClient, id: string, spec: unknown, more: object): Promise<readonly Row[]> {
  const set = await engine.call('projection.set', { id, spec, at: null, hash: 'none', ...more });
  const { projectionId } = set;
  return (await engine.call('projection.rows', { projectionId, from: 0, to: 100_000 })).rows;
}

const shown = ({ key, index, part, fate }: Row) => ({ key, index, part, fate });

async function open() {
  const { client: engine, add } = testEngine();
  const id = await add('session.jsonl', claudeCodeFile({ messages: 240, seed: 5 }));
  await whenCounted(engine, id);
  return { engine, id };
}

it('shows the rows that fit, and no others', async () => {
  const { engine, id } = await open();
  const fits = new Map(FILTERS.map(([text]) => [text, 0]));
  for (const { name, spec } of POLICIES) {
    const all = await rowsUnder(engine, id, spec, {});
    for (const [text, naive] of FILTERS) {
      const filter: RowsFilter = { text, others: 'hide', colors: [] };
      const wanted = all.filter(naive);
      const rows = await rowsUnder(engine, id, spec, { filter });
      expect({ name, text, rows: rows.map(shown) }).toEqual({ name, text, rows: wanted.map(shown) });
      fits.set(text, (fits.get(text) ?? 0) + rows.length);
      // Folded, the same rows stand between lines that say how many are not shown.
      const folded = await rowsUnder(engine, id, spec, { filter: { ...filter, others: 'fold' } });
      expect(folded.filter(({ kind }) => kind !== 'fold').map(shown)).toEqual(wanted.map(shown));
      const left = folded.reduce((sum, row) => sum + (row.filtered ?? 0), 0);
      const raw = (rows: readonly Row[]) => rows.filter(({ kind }) => kind === 'part').length;
      expect({ name, text, left }).toEqual({ name, text, left: raw(all) - raw(wanted) });
    }
  }
  expect([...fits].filter(([, count]) => count === 0).map(([text]) => text)).toEqual(['fate:kept fate:dropped']);
});

it('counts, places and paints what fits', async () => {
  const { engine, id } = await open();
  const colors = [
    { name: 'calls', filter: 'kind:call' },
    { name: 'wrong', filter: 'fate:nothing' },
    { name: 'large', filter: 'tokens>100' },
  ];
  const filter: RowsFilter = { text: '', others: 'fold', colors };
  const info = await engine.call('projection.set', { id, spec: 'raw', at: null, hash: 'none', filter });
  const { projectionId } = info;
  const { rows } = await engine.call('projection.rows', { projectionId, from: 0, to: 100_000 });
  expect(info.filter?.rows).toBeNull();
  const calls = rows.filter(({ partKind }) => partKind === 'tool_call');
  expect(info.filter?.colors[0]).toMatchObject({ matched: calls.length, at: calls.map(({ index }) => index) });
  expect(info.filter?.colors[1]?.problems[0]?.text).toContain('fate is one of');
  for (const row of rows) {
    const own = [row.partKind === 'tool_call' && 0, (row.raw?.tokens ?? 0) > 100 && 2].filter((one) => one !== false);
    expect(row.colors ?? []).toEqual(own);
  }
  const { values } = await engine.call('filter.values', { projectionId, field: 'kind' });
  expect(values.find(({ value }) => value === 'call')?.count).toBe(calls.length);
});

it('keeps what was unfolded and what is selected, and says that it does not fit', async () => {
  const { engine, id } = await open();
  const filter: RowsFilter = { text: 'kind:result', others: 'fold', colors: [] };
  const rows = await rowsUnder(engine, id, 'raw', { filter, visible: 0, unfold: [{ from: 4, to: 6 }] });
  const unfit = rows.filter((row) => row.unfit).map(({ index }) => index);
  expect(unfit.length).toBeGreaterThan(0);
  expect(unfit.every((index) => index === 0 || (index >= 4 && index < 6))).toBe(true);
});

it('looks for words and uses when that is asked for, and shows all rows until then', async () => {
  const { engine, id } = await open();
  const all = await rowsUnder(engine, id, 'raw', {});
  const text = 'used:later OR error';
  const params = { id, spec: 'raw', at: null, hash: 'none', filter: { text, others: 'hide', colors: [] } } as const;
  const before = await engine.call('projection.set', params);
  expect([before.filter?.isPending, before.rowCount]).toEqual([true, all.length]);
  await engine.call('filter.prepare', { id, spec: 'raw', filters: [text] });
  const after = await engine.call('projection.set', params);
  expect(after.filter).toMatchObject({ isPending: false, rows: { matched: after.rowCount } });
  expect(after.rowCount).toBeGreaterThan(0);
  expect(after.rowCount).toBeLessThan(all.length);
  expect(after.projectionId).not.toBe(before.projectionId);
});

it('keeps rows filtered by the last uses known under another policy, and says so until its own are known', async () => {
  const { engine, id } = await open();
  const filter: RowsFilter = { text: 'used:gone', others: 'hide', colors: [] };
  const specOf = (preset: string) => POLICIES.find(({ name }) => name === preset)?.spec;
  const [first, second] = [specOf('retention'), specOf('window_40')];
  const under = (spec: unknown) => engine.call('projection.set', { id, spec, at: null, hash: 'none', filter });
  const prepare = (spec: unknown) => engine.call('filter.prepare', { id, spec, filters: [filter.text] });
  await prepare(first);
  const shown = await under(first);
  const moved = await under(second);
  expect(moved.filter).toMatchObject({ isPending: true, rows: { isStale: true } });
  expect(moved.filter?.rows?.matched).toBe(shown.filter?.rows?.matched);
  await prepare(second);
  const own = await under(second);
  expect(own.filter).toMatchObject({ isPending: false });
  expect(own.filter?.rows?.isStale).toBeUndefined();
  expect(own.filter?.rows?.matched).not.toBe(shown.filter?.rows?.matched);
  expect(own.projectionId).not.toBe(moved.projectionId);
});
