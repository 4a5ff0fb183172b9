import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../core/model/memorySource.ts';
import { prefixHash } from '../../core/projection/prefixHash.ts';
import { presetsFor } from '../../core/projection/presets.ts';
import { project } from '../../core/projection/project.ts';
import type { Series } from '../../core/protocol/types.ts';
import { claudeCodeFile } from '../support/generate.ts';
import { pausedSession } from '../support/pausedSession.ts';
import { stagesOf } from '../support/projecting.ts';
import { failureOf, LONG_RESULT, MESSAGES, nextEvent, sessionFile, testEngine } from './support.ts';

const GC = { policy: 'reachability_gc', root_window: 2, min_chars: 100 };

async function opened() {
  const engine = testEngine();
  const id = await engine.add('one.jsonl', sessionFile());
  const info = await engine.client.call('transcript.open', { id });
  const set = (spec: unknown, more: { at?: number; fold?: boolean } = {}) =>
    engine.client.call('projection.set', { id, spec, at: null, rows: { from: 0, to: 1000 }, ...more });
  return { ...engine, id, info, set };
}

describe('library', () => {
  it('imports, lists, and finds the same file again', async () => {
    const engine = testEngine();
    expect((await engine.client.call('library.list', {})).transcripts).toEqual([]);
    const id = await engine.add('one.jsonl', sessionFile());
    expect(await engine.add('copy.jsonl', sessionFile())).toBe(id);
    const { transcripts } = await engine.client.call('library.list', {});
    expect(transcripts).toHaveLength(1);
    expect(transcripts[0]).toMatchObject({
      id,
      format: 'claude-code',
      messages: 11,
      state: 'ready',
      model: 'claude-sonnet-4-5',
    });
  });

  it('counts what was imported, without being asked', async () => {
    const engine = testEngine();
    const counted = nextEvent(engine.client, 'job', (job) => job.kind === 'tokens' && job.state === 'done');
    const id = await engine.add('one.jsonl', sessionFile());
    await counted;
    const { transcripts } = await engine.client.call('library.list', {});
    expect(transcripts[0]).toMatchObject({ id, tokensProvenance: 'estimated' });
    expect(transcripts[0]?.tokens).toBeGreaterThan(100);
  });

  it('removes a transcript and tells', async () => {
    const { client, id } = await opened();
    const told = nextEvent(client, 'transcript', (event) => event.reason === 'removed');
    expect(await client.call('library.remove', { ids: [id] })).toEqual({ removed: [id] });
    expect(await told).toMatchObject({ id, info: null });
    expect(await client.call('library.remove', { ids: [id] })).toEqual({ removed: [] });
    expect((await failureOf(client.call('transcript.open', { id }))).code).toBe('transcript.unknown');
  });

  it('keeps settings over a restart', async () => {
    const first = testEngine();
    await first.client.call('settings.set', { key: 'theme', value: { name: 'dark', sizes: [1, 2] } });
    await first.dispose();
    const second = testEngine(first.dir);
    expect((await second.client.call('settings.get', {})).values).toEqual({ theme: { name: 'dark', sizes: [1, 2] } });
  });

  it('tells of itself', async () => {
    const { client, dir } = await opened();
    const info = await client.call('engine.info', {});
    expect(info).toMatchObject({ library: join(dir, 'library') });
    expect(info.rssBytes).toBeGreaterThan(1_000_000);
    expect(info.formats.map((format) => format.id)).toContain('claude-code');
  });

  it('gives the outcome of a file that is no transcript, and of none', async () => {
    const { client, dir } = testEngine();
    writeFileSync(join(dir, 'x.txt'), 'hello');
    const { jobId } = await client.call('import.start', { paths: [join(dir, 'x.txt'), join(dir, 'missing')] });
    const { outcomes } = await client.call('import.result', { jobId });
    expect(outcomes.map((outcome) => [outcome.transcripts.length, outcome.error !== null])).toEqual([
      [0, true],
      [0, true],
    ]);
    expect((await failureOf(client.call('import.result', { jobId: 'none' }))).code).toBe('job.unknown');
    expect(await client.call('job.cancel', { jobId: 'none' })).toEqual({ cancelled: false });
    expect((await client.call('job.list', {})).jobs.map(({ kind }) => kind)).toContain('import');
  });
});

describe('an open transcript', () => {
  it('says what it is', async () => {
    const { info } = await opened();
    expect(info).toMatchObject({
      messages: 11,
      turns: 2,
      callPoints: 7,
      models: ['claude-sonnet-4-5'],
      gitBranch: 'main',
      sessionId: 'session-one',
      tokenizer: 'o200k_base',
      window: 200_000,
      assets: 1,
    });
  });

  it('steps from call point to call point, and by turn', async () => {
    const { client, id } = await opened();
    expect((await client.call('transcript.callPoints', { id })).at).toEqual([1, 2, 4, 6, 8, 10, 11]);
    const step = async (at: number, delta: number, by: 'call' | 'turn') =>
      (await client.call('transcript.step', { id, at, delta, by })).at;
    expect(await step(4, 1, 'call')).toBe(6);
    expect(await step(5, 1, 'call')).toBe(6);
    expect(await step(5, -1, 'call')).toBe(4);
    expect(await step(1, -3, 'call')).toBe(1);
    expect(await step(11, 3, 'call')).toBe(11);
    expect(await step(11, -1, 'turn')).toBe(8);
    expect(await step(2, 1, 'turn')).toBe(8);
  });

  it('gives records and assets as they were', async () => {
    const { client, id, set } = await opened();
    const { records } = await client.call('record.get', { id, index: 2 });
    expect(records.map(({ line }) => line)).toEqual([3]);
    expect(records[0]?.json).toBe(sessionFile().split('\n')[2]);
    const first = await client.call('record.at', { id, byteStart: 0, limit: 20 });
    expect(first).toEqual({ line: 1, text: sessionFile().slice(0, 20), truncated: true, base64: null });
    expect((await failureOf(client.call('record.at', { id, byteStart: 1 }))).code).toBe('record.unknown');
    const { projectionId } = await set('raw');
    const detail = await client.call('projection.detail', { projectionId, index: 0 });
    const assetId = detail.parts[2]?.assetIds[0] ?? 'none';
    const asset = await client.call('asset.get', { assetId });
    expect(asset.mime).toBe('image/png');
    expect(Buffer.from(asset.base64, 'base64')).toHaveLength(asset.bytes);
    expect((await failureOf(client.call('asset.get', { assetId: 'none' }))).code).toBe('asset.unknown');
    expect((await failureOf(client.call('record.get', { id, index: 99 }))).code).toBe('transcript.no_such_place');
  });

  it('lists problems and events', async () => {
    const { client, id } = await opened();
    expect((await client.call('transcript.problems', { id })).problems).toEqual([]);
    const { events, total } = await client.call('transcript.events', { id, from: 0, to: 10 });
    expect(events).toHaveLength(Math.min(10, total));
  });
});

describe('projection.set', () => {
  it('agrees with the pure projection and its hash, at every call point', async () => {
    const { client, id, set } = await opened();
    const texts = await Promise.all(
      MESSAGES.map(async (_, index) => {
        const { projectionId } = await set('raw');
        return (await client.call('projection.detail', { projectionId, index })).rawJson;
      }),
    );
    const source = memorySource(texts, null);
    const specs: readonly unknown[] = ['raw', 'clean_tool_repair', GC, { policy: 'summary_prefix', keep_last: 3 }];
    for (const spec of specs) {
      for (const at of (await client.call('transcript.callPoints', { id })).at) {
        const pure = project(source, stagesOf(spec), at);
        const info = await set(spec, { at });
        expect([spec, at, info.prefixHash]).toEqual([spec, at, prefixHash(source, pure.view)]);
        expect(info.keptCount).toBe(pure.keptIndices.length);
      }
    }
  });

  it('shows a repaired call as ghosts beside the raw rows', async () => {
    const { set } = await opened();
    const info = await set('clean_tool_repair');
    const rows = info.rows?.rows ?? [];
    expect(info.counts).toMatchObject({ kept: 9, dropped: 2, synthetic: 0 });
    expect(rows).toHaveLength(14);
    const table = rows.map((row) => [row.key, row.label, row.raw?.text ?? null, row.fate, row.projected === null]);
    expect(table.slice(0, 7)).toEqual([
      ['m0.0', 'user', 'Why does the Login test fail?', 'kept', false],
      ['m0.1', 'image', 'image/png 1×1 · 70 B', 'kept', false],
      ['m0.2', 'image', 'image/png 1,240×800 · 6.0 kB', 'kept', false],
      ['m1.0', 'assistant', 'Let me look.', 'kept', false],
      ['m2.0', 'call', 'Bash npm test', 'dropped', true],
      ['m3.0', 'result', 'Error: no script', 'dropped', true],
      ['m4.0', 'call', 'Bash npm run unit', 'kept', false],
    ]);
    expect(rows[4]).toMatchObject({ badges: [], firstOfMessage: true, lastOfMessage: true, index: 2, part: 0 });
    expect(rows[5]?.badges).toEqual(['error']);
    expect(rows[5]?.reason).not.toBe('');
    expect(rows.map(({ row }) => row)).toEqual(rows.map((_, at) => at));
    expect(rows[8]).toMatchObject({ key: 'm6.0', lastOfMessage: false });
    expect(rows[9]).toMatchObject({
      key: 'm6.1',
      firstOfMessage: false,
      raw: { text: 'Read src/login.ts', mono: true },
    });
  });

  it('shows a reclaimed result as pointer with what it saved', async () => {
    const { set } = await opened();
    const info = await set(GC);
    expect(info.counts.redacted).toBe(1);
    const row = info.rows?.rows.find(({ key }) => key === 'm7.0');
    expect(row?.fate).toBe('redacted');
    expect(row?.raw?.text).toMatch(/^line 0 of the old file line 1/);
    expect(row?.projected?.text).toMatch(/^\[tool result reclaimed by reachability_gc; source_index=7/);
    const saved = (row?.projected?.tokens ?? 0) - (row?.raw?.tokens ?? 0);
    expect(row?.chip).toBe(`−${-saved}`);
    expect(info.raw.total - info.projected.total).toBe(-saved);
  });

  it('puts a summary where it stands in the view', async () => {
    const { set, client } = await opened();
    const info = await set({ policy: 'summary_prefix', keep_last: 2, summary: 'It was about login.' });
    const rows = info.rows?.rows ?? [];
    const at = rows.findIndex(({ kind }) => kind === 'synthetic');
    expect(rows[at]).toMatchObject({ key: 's0', index: 0, to: 9, raw: null, fate: 'synthetic', label: 'system' });
    expect(rows[at]?.projected?.text).toContain('It was about login.');
    expect(rows[at + 1]).toMatchObject({ key: 'm9.0', fate: 'kept' });
    expect(rows[at - 1]).toMatchObject({ key: 'm8.0', fate: 'summarised', projected: null });
    const { projectionId } = info;
    const detail = await client.call('projection.synthetic', { projectionId, row: at });
    expect(detail).toMatchObject({ covers: { from: 0, to: 9 }, stage: 0 });
    expect(JSON.parse(detail.json)).toMatchObject({ role: 'system' });
    expect((await failureOf(client.call('projection.synthetic', { projectionId, row: 0 }))).code).toBe(
      'projection.no_such_row',
    );
  });

  it('dims what lies beyond the call point', async () => {
    const { set } = await opened();
    const info = await set('clean_tool_repair', { at: 4 });
    const rows = info.rows?.rows ?? [];
    expect(info).toMatchObject({ at: 4, callPoint: 2, turn: 1 });
    expect(rows.filter(({ index }) => index < 4).every(({ fate }) => fate === 'kept')).toBe(true);
    expect(rows.filter(({ index }) => index >= 4).every(({ fate, projected }) => fate === 'future' && !projected)).toBe(
      true,
    );
  });

  it('names what is wrong with a spec', async () => {
    const { set, client, id } = await opened();
    const error = await failureOf(set({ policy: 'reachability_gc', root_window: -1 }));
    expect(error).toMatchObject({ code: 'spec.invalid', expected: true });
    expect(error.message).toContain('root_window');
    expect(JSON.parse(error.cause ?? '[]')).toHaveLength(1);
    expect((await failureOf(set('no_such_policy'))).message).toContain('no_such_policy');
    expect((await failureOf(set('raw', { at: 12 }))).code).toBe('transcript.no_such_place');
    const parsed = await client.call('spec.parse', { spec: { policy: 'nope' } });
    expect([parsed.spec, parsed.problems.length]).toEqual([null, 1]);
    expect((await client.call('spec.parse', { spec: 'raw' })).spec).toMatchObject({ version: 1 });
    expect((await failureOf(client.call('projection.set', { id: 'x', spec: 'raw', at: null }))).code).toBe(
      'transcript.unknown',
    );
    expect(id).not.toBe('x');
  });

  it('runs the user’s code, and answers in order', async () => {
    const { set } = await opened();
    const custom = { policy: 'custom', projector: '(messages) => messages.slice(-2)' };
    const order: string[] = [];
    const [slow, quick] = await Promise.all([
      set(custom).finally(() => order.push('custom')),
      set('raw').finally(() => order.push('raw')),
    ]);
    expect(order).toEqual(['custom', 'raw']);
    expect(slow.keptCount).toBe(2);
    expect(quick.keptCount).toBe(11);
    const broken = await set({ policy: 'custom', projector: '(messages) => messages.nothing()' });
    expect(broken.problems.length).toBeGreaterThan(0);
  });

  it('ends work over many call points at the first failure of the user’s code, and says so', async () => {
    const { client, id } = await opened();
    const spec = { policy: 'custom', projector: '(messages) => messages.nothing()' };
    const said = nextEvent(client, 'series', (series) => series.complete);
    await client.call('series.start', { id, spec, samples: 200 });
    expect((await said).problem).toContain('not a function');
    const trace = client.call('trace.message', { id, spec, index: 0, part: null, at: null });
    expect(await failureOf(trace)).toMatchObject({ code: 'custom.threw', expected: true });
  });

  it('gives the same id for the same, another for another', async () => {
    const { set } = await opened();
    const [a, b, c] = [await set('raw'), await set('raw'), await set('clean_tool_repair')];
    expect(a.projectionId).toBe(b.projectionId);
    expect(a.projectionId).not.toBe(c.projectionId);
  });

  it('forgets projections in the end, and says so', async () => {
    const { set, client } = await opened();
    const { projectionId } = await set('raw');
    for (let keep = 0; keep < 9; keep++) await set({ policy: 'summary_prefix', keep_last: keep });
    const error = await failureOf(client.call('projection.rows', { projectionId, from: 0, to: 1 }));
    expect(error).toMatchObject({ code: 'projection.unknown', expected: true });
  });

  it('says exact only of a tokenizer asked for by name', async () => {
    const { client, id, info } = await opened();
    if (info.counted < 1) await nextEvent(client, 'transcript', ({ info: now }) => now?.counted === 1);
    const set = (tokenizer: string) =>
      client.call('projection.set', { id, spec: 'raw', at: 9, tokenizer, rows: { from: 3, to: 4 } });
    expect((await set('o200k_base')).rows?.rows[0]?.raw?.tokensProvenance).toBe('exact');
    expect((await set('estimate')).raw.provenance).toBe('estimated');
  });
});

describe('reading a projection', () => {
  it('finds rows and the next change both ways', async () => {
    const { set, client } = await opened();
    const { projectionId, rows } = await set('clean_tool_repair');
    const next = async (row: number, direction: 1 | -1) =>
      (await client.call('projection.nextChange', { projectionId, row, direction })).row;
    expect(await next(-1, 1)).toBe(4);
    expect(await next(4, 1)).toBe(5);
    expect(await next(5, 1)).toBeNull();
    expect(await next(13, -1)).toBe(5);
    expect(await next(4, -1)).toBeNull();
    for (const row of rows?.rows ?? []) {
      const { index, part } = row;
      expect(await client.call('projection.rowOf', { projectionId, index, part })).toEqual({ row: row.row });
    }
    expect((await failureOf(client.call('projection.rowOf', { projectionId, index: 11 }))).code).toBe(
      'transcript.no_such_place',
    );
  });

  it('finds the next row of one fate', async () => {
    const { set, client } = await opened();
    const { projectionId, rows } = await set('clean_tool_repair');
    const shown = rows?.rows ?? [];
    for (const fate of ['dropped', 'rewritten', 'summarised', 'synthetic'] as const) {
      const own = shown.flatMap((row) =>
        row.fate === fate && (row.kind !== 'part' || row.firstOfMessage) ? [row.row] : [],
      );
      for (let row = -1; row < shown.length; row++) {
        const asked = { projectionId, row, direction: 1 as const, fate };
        expect((await client.call('projection.nextChange', asked)).row).toBe(own.find((one) => one > row) ?? null);
      }
    }
    expect(shown.some(({ fate }) => fate === 'dropped')).toBe(true);
  });

  it('passes over changes that have no row in the model view', async () => {
    const { client, id } = await opened();
    const stages = [
      { kind: 'clean_tool_repair' },
      { kind: 'reachability_gc', options: { root_window: 2, min_chars: 100 } },
    ];
    const spec = { version: 1, stages };
    const info = await client.call('projection.set', { id, spec, at: null, ghosts: false, rows: { from: 0, to: 99 } });
    const rows = info.rows?.rows ?? [];
    expect(rows.every(({ projected }) => projected !== null)).toBe(true);
    const redacted = rows.findIndex(({ fate }) => fate === 'redacted');
    const { projectionId } = info;
    const next = (row: number) => client.call('projection.nextChange', { projectionId, row, direction: 1 });
    expect(await next(-1)).toEqual({ row: redacted });
    expect(await next(redacted)).toEqual({ row: null });
  });

  it('tells a message in full, with its pointer verified', async () => {
    const { set, client } = await opened();
    const { projectionId } = await set(GC);
    const detail = await client.call('projection.detail', { projectionId, index: 7 });
    expect(detail.fate).toMatchObject({ kind: 'redacted', stage: 0 });
    expect(detail.fate.pointers).toHaveLength(1);
    expect(detail.fate.pointers[0]).toMatchObject({ source_index: 7, source_block_index: 0, verified: true });
    expect(detail.parts[0]).toMatchObject({ kind: 'tool_result', text: LONG_RESULT, callId: 't3', truncated: false });
    expect(detail.pairs).toEqual([{ part: 0, index: 6, otherPart: 1 }]);
    expect(JSON.parse(detail.projectedJson ?? 'null')).toHaveProperty('_harn_projection');
    expect(detail.origins[0]).toMatchObject({ line: 8 });
    expect(detail.meta.timestamp).toBe('2026-01-05T09:07:00.000Z');
    const call = await client.call('projection.detail', { projectionId, index: 6, limit: 20 });
    expect(call.pairs).toEqual([{ part: 1, index: 7, otherPart: 0 }]);
    expect([call.truncated, call.rawJson.length]).toEqual([true, 20]);
  });

  it('searches without regard to case, and counts beyond the limit', async () => {
    const { set, client } = await opened();
    const { projectionId } = await set('raw');
    const find = (text: string, limit = 10) => client.call('search.text', { projectionId, text, limit });
    const login = await find('LOGIN');
    expect(login.total).toBe(2);
    expect(login.hits.map(({ index, part }) => [index, part])).toEqual([
      [0, 0],
      [6, 1],
    ]);
    const [hit] = login.hits;
    expect(hit?.context.slice(hit.start, hit.start + hit.length)).toBe('Login');
    expect(await find('line 3', 4)).toMatchObject({ total: 11, hits: { length: 4 } });
    expect((await find('does\n  the')).total).toBe(1);
    expect(await find('')).toEqual({ hits: [], total: 0 });
  });

  it('gives the prefix and the Harn result as text', async () => {
    const { set, client } = await opened();
    const { projectionId, prefixHash: hash } = await set('clean_tool_repair');
    const messages: unknown = JSON.parse(
      (await client.call('projection.text', { projectionId, what: 'messages' })).text,
    );
    expect(messages).toHaveLength(9);
    const result: unknown = JSON.parse((await client.call('projection.text', { projectionId, what: 'result' })).text);
    expect(result).toMatchObject({ policy: 'clean_tool_repair', prefix_hash: hash, dropped_indices: [2, 3] });
  });
});

describe('figures over call points', () => {
  it('prices every preset', async () => {
    const { client, id } = await opened();
    const { figures } = await client.call('budget.presets', { id, at: null });
    const described = await client.call('spec.describe', {});
    const offered = presetsFor(described.presets, false).map(({ name }) => name);
    expect(figures.map(({ name }) => name)).toEqual(offered);
    const raw = figures.find(({ name }) => name === 'raw')?.tokens?.total ?? 0;
    for (const { tokens } of figures) expect(tokens?.total).toBeLessThanOrEqual(raw);
    expect(described.stages.map(({ kind }) => kind)).toContain('reachability_gc');
    expect(described.models.length).toBeGreaterThan(3);
  });

  it('answers a series at once with the raw history, and completes it', async () => {
    const { client, id } = await opened();
    const pieces: Series[] = [];
    client.on('series', (piece) => pieces.push(piece));
    const done = nextEvent(client, 'series', ({ complete }) => complete);
    const first = await client.call('series.start', { id, spec: GC, samples: 100 });
    expect(first).toMatchObject({ sampled: false, callPoints: 7, complete: false, naive: [], from: 0 });
    const last = await done;
    expect(last.seriesId).toBe(first.seriesId);
    const sum = (tokens: readonly number[]) => tokens.reduce((a, b) => a + b, 0);
    const points = pieces.flatMap((piece) => piece.points);
    expect(points.map(({ at }) => at)).toEqual([1, 2, 4, 6, 8, 10, 11]);
    expect(points.map(({ cache }) => cache?.prefixMessages ?? null)).toEqual([null, 1, 2, 4, 6, 7, 10]);
    expect(points[5]?.cache?.brokenBy).toMatchObject({ kind: 'reachability_gc', index: 7, change: 'edited' });
    for (const [i, point] of points.entries()) {
      const info = await client.call('projection.set', { id, spec: GC, at: point.at });
      expect([point.at, sum(point.byCategory)]).toEqual([point.at, info.projected.total]);
      expect(sum(first.points[i]?.byCategory ?? [])).toBe(info.raw.total);
    }
    expect(await client.call('series.stop', { seriesId: first.seriesId })).toEqual({});
  });

  it('tells of every preset whether it fits, and where it first does not', async () => {
    const { client, add } = testEngine();
    const long = 'every word of it '.repeat(4000);
    const messages = MESSAGES.map((message, at) => (at === 6 ? { role: 'assistant', content: long } : message));
    const id = await add('small.jsonl', sessionFile(messages).replaceAll('claude-sonnet-4-5', 'gpt-4'));
    const { figures } = await client.call('budget.presets', { id, at: null, firstOver: true });
    const raw = figures.find(({ name }) => name === 'raw');
    expect(raw).toMatchObject({ fits: false, firstOver: { at: 8 } });
    const summed = figures.find(({ name }) => name === 'summary_prefix_12');
    expect(summed?.firstOver?.at).toBe(8);
    const early = await client.call('budget.presets', { id, at: 4 });
    expect(early.figures.every(({ fits, firstOver }) => fits === true && firstOver === undefined)).toBe(true);
  });

  it('tells breaks by time, marks, and what is recorded of the cache', async () => {
    const { client, add } = testEngine();
    const id = await add('pause.jsonl', pausedSession());
    const done = nextEvent(client, 'series', ({ complete }) => complete);
    await client.call('series.start', { id, spec: 'raw', samples: 100 });
    const { points, cacheEvidence } = await done;
    expect(cacheEvidence).toEqual({ mode: 'auto', marked: false, ttl: '5m', timed: true });
    expect(points.map(({ at, recorded }) => [at, recorded?.read ?? null])).toEqual([
      [1, 7400],
      [3, 7400],
      [5, 7400],
      [6, null],
    ]);
    expect(points[1]?.cache).toMatchObject({ points: 'assumed', loss: null });
    expect(points[1]?.cache?.servedTokens).toBeGreaterThan(1024);
    expect(points[2]?.cache).toMatchObject({
      servedTokens: 0,
      brokenBy: null,
      loss: { why: 'time', gapMs: 12 * 60_000, lifetimeMs: 5 * 60_000 },
    });
    expect(points[2]?.cache?.loss?.cost).toBeGreaterThan(0);
    await client.call('cachePoints.set', { mode: 'end1h' });
    expect((await client.call('prices.get', { id })).cachePoints).toBe('end1h');
    const again = nextEvent(client, 'series', ({ complete }) => complete);
    await client.call('series.start', { id, spec: 'raw', samples: 100 });
    expect((await again).points[2]?.cache?.loss).toBeNull();
  });

  it('keeps the prices a person puts in place of the known ones', async () => {
    const { client, id } = await opened();
    const known = await client.call('prices.get', { id });
    expect(known).toMatchObject({
      edited: false,
      models: [{ model: 'claude-sonnet-4-5', price: { input: 3, cachedRead: 0.3 } }],
    });
    const mine = { model: 'claude-sonnet', input: 1, cachedRead: 0, cacheWrite: 2 };
    await client.call('prices.set', { rows: [mine] });
    expect(await client.call('prices.get', { id })).toMatchObject({
      edited: true,
      rows: [mine],
      models: [{ price: null }],
    });
    const twice = client.call('prices.set', { rows: [mine, mine] });
    expect(await failureOf(twice)).toMatchObject({ code: 'prices.invalid', expected: true });
    await client.call('prices.set', { rows: null });
    expect((await client.call('prices.get', {})).edited).toBe(false);
  });

  it('ends an older series when a newer one starts', async () => {
    const { client, id } = await opened();
    const seen: string[] = [];
    client.on('series', ({ seriesId }) => seen.push(seriesId));
    const older = await client.call('series.start', { id, spec: GC, samples: 100 });
    const done = nextEvent(client, 'series', ({ complete }) => complete);
    const newer = await client.call('series.start', { id, spec: 'clean_tool_repair', samples: 100 });
    expect((await done).seriesId).toBe(newer.seriesId);
    expect(seen).not.toContain(older.seriesId);
  });

  it('traces what it follows as what it projects anew at every call point', async () => {
    const { client, id } = await opened();
    const stages = ['clean_tool_repair', { kind: 'reachability_gc', options: { root_window: 2, min_chars: 20 } }];
    const anew = [...stages, { kind: 'custom', options: { projector: '(messages) => messages' } }];
    for (const [index, part] of [
      [0, null],
      [2, 0],
      [3, 0],
      [6, 1],
      [7, null],
      [7, 0],
      [10, 0],
    ] as const) {
      const trace = (list: readonly unknown[]) =>
        client.call('trace.message', { id, spec: { version: 1, stages: list }, index, part, at: null });
      const { firstLoss, now, ...followed } = await trace(stages);
      const { firstLoss: expectedLoss, now: expectedNow, ...expected } = await trace(anew);
      expect(followed, `#${index} part ${part}`).toEqual(expected);
      expect([firstLoss?.at, firstLoss?.reason, now.state]).toEqual([
        expectedLoss?.at,
        expectedLoss?.reason,
        expectedNow.state,
      ]);
    }
  });

  it('traces where something was lost, and to what', async () => {
    const { client, id } = await opened();
    const trace = await client.call('trace.message', { id, spec: GC, index: 7, part: 0, at: null });
    expect(trace.points.map(({ at, state }) => [at, state])).toEqual([
      [1, 'not_yet'],
      [2, 'not_yet'],
      [4, 'not_yet'],
      [6, 'not_yet'],
      [8, 'visible'],
      [10, 'changed'],
      [11, 'changed'],
    ]);
    expect(trace.firstLoss).toMatchObject({ at: 10, turn: 2, fate: 'redacted', stage: 0 });
    expect(trace.firstLoss?.replacedBy).toContain('reclaimed by reachability_gc');
    expect(trace.now.state).toBe('changed');
    const dropped = await client.call('trace.message', { id, spec: 'clean_tool_repair', index: 3, part: null, at: 4 });
    expect(dropped.now.state).toBe('visible');
    expect(dropped.firstLoss).toMatchObject({ at: 6, fate: 'dropped', replacedBy: null });
    expect((await failureOf(client.call('trace.message', { id, spec: 'raw', index: 7, part: 3, at: null }))).code).toBe(
      'transcript.no_such_place',
    );
  });
});

/** Messages; they come in several batches. */
const LARGE = 5_000;

describe('while something long runs', () => {
  it('opens a transcript that is still being imported, and tells how it grows', async () => {
    const { client, dir } = testEngine();
    const path = join(dir, 'large.jsonl');
    writeFileSync(path, claudeCodeFile({ messages: LARGE }));
    const started = nextEvent(client, 'job', (job) => job.kind === 'import' && job.transcriptIds.length > 0);
    const { jobId } = await client.call('import.start', { paths: [path] });
    const id = (await started).transcriptIds[0] ?? 'none';
    const first = await client.call('transcript.open', { id });
    expect(first.messages).toBeGreaterThan(0);
    expect(first.messages).toBeLessThan(LARGE);
    // With its last batch it has them all, and is still being imported.
    const whole = nextEvent(client, 'transcript', ({ info }) => info?.messages === LARGE && info.state === 'ready');
    const early = await client.call('projection.set', { id, spec: 'raw', at: null, rows: { from: 0, to: 5 } });
    expect(early.rows?.rows).toHaveLength(5);
    await client.call('import.result', { jobId });
    expect((await whole).id).toBe(id);
    const late = await client.call('projection.set', { id, spec: 'raw', at: null });
    expect(late.keptCount).toBe(LARGE);
    const rows = await client.call('projection.rows', { projectionId: early.projectionId, from: 0, to: 5 });
    expect(rows.rows.map(({ key }) => key)).toEqual(early.rows?.rows.map(({ key }) => key));
  });

  it('leaves an older trace for a newer one, and answers other calls meanwhile', async () => {
    const engine = testEngine();
    const id = await engine.add('made.jsonl', claudeCodeFile({ messages: 1_000 }));
    const trace = (index: number) => engine.client.call('trace.message', { id, spec: GC, index, part: null, at: null });
    const older = failureOf(trace(4));
    const newer = trace(8);
    let isTraced = false;
    void newer.then(() => {
      isTraced = true;
    });
    await engine.client.call('settings.get', {});
    expect(isTraced).toBe(false);
    expect(await older).toMatchObject({ code: 'request.superseded', expected: true });
    expect((await newer).index).toBe(8);
  });

  it('survives the removal of what is being worked on', async () => {
    const engine = testEngine();
    const id = await engine.add('made.jsonl', claudeCodeFile({ messages: 3000 }));
    await engine.client.call('transcript.open', { id });
    await engine.client.call('series.start', { id, spec: GC, samples: 200 });
    const traced = failureOf(engine.client.call('trace.message', { id, spec: GC, index: 4, part: null, at: null }));
    expect(await engine.client.call('library.remove', { ids: [id] })).toEqual({ removed: [id] });
    expect((await traced).code).toBe('request.superseded');
    expect((await engine.client.call('library.list', {})).transcripts).toEqual([]);
  });
});

describe('reports', () => {
  it('writes a bundle that verifies, and one that was changed does not', async () => {
    const { client, id, set, dir } = await opened();
    const path = join(dir, 'bug.parallax.json');
    const written = await client.call('export.write', { id, spec: GC, at: null, path });
    // What leaves is scrubbed: the home folders of this session have stand-ins, and its request another hash.
    expect(written.prefixHash).not.toBe((await set(GC)).prefixHash);
    const text = readFileSync(path, 'utf8');
    expect(text).toContain(`"${written.prefixHash}"`);
    expect(written.bytes).toBe(Buffer.byteLength(text));
    expect((await client.call('verify.file', { path })).same).toBe(true);
    writeFileSync(path, text.replaceAll('line 7 of the old file', 'line 7 of the new file'));
    const report = await client.call('verify.file', { path });
    expect(report.same).toBe(false);
    expect(report.differences.length).toBeGreaterThan(0);
    expect((await failureOf(client.call('verify.file', { path: join(dir, 'none') }))).code).toBe('verify.unreadable');
    const kept = await client.call('export.write', { id, spec: 'raw', at: 4, path: null });
    expect(kept.path.startsWith(join(dir, 'library'))).toBe(true);
  });

  it('tells all clients of what happens', async () => {
    const engine = testEngine();
    const other = engine.connect();
    const told = nextEvent(other, 'library');
    await engine.add('one.jsonl', sessionFile());
    expect(await told).toEqual({});
  });
});
