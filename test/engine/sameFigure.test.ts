// One request, one figure: whoever is asked for its tokens says the same, be it engine, table of presets, series, bundle or
// command line; calibrated where recorded usage allows it, plain where somebody wants it, and never `calibrated` without.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { countPlainly } from '../../cli/support/counting.ts';
import { aboutOf } from '../../cli/support/inputs.ts';
import { withProjector } from '../../cli/support/projecting.ts';
import { projectRequest } from '../../cli/support/result.ts';
import { parsedOrFail } from '../../cli/support/spec.ts';
import { importText, MemoryTranscript } from '../../core/importers/memory.ts';
import type { EngineClient } from '../../core/protocol/client.ts';
import type { ProjectionInfo, Series } from '../../core/protocol/types.ts';
import { compactedSession } from '../support/compactedSession.ts';
import { claudeCodeFile } from '../support/generate.ts';
import { sessionFile, testEngine } from './support.ts';

const SPECS: readonly unknown[] = [
  'recorded_compaction',
  'raw',
  { version: 1, stages: ['recorded_compaction', { kind: 'sliding_window', options: { turns: 3 } }] },
  {
    version: 1,
    stages: ['recorded_compaction', { kind: 'sliding_window', options: { fit_budget: true } }],
    budget: { window: 30_000, reserve_output: 2000 },
  },
];

/** The projection once its figures are final. */
async function finalOf(client: EngineClient, id: string, spec: unknown, at: number | null): Promise<ProjectionInfo> {
  for (;;) {
    const info = await client.call('projection.set', { id, spec, at });
    if (info.final) return info;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function usageOf(client: EngineClient, id: string) {
  for (;;) {
    const usage = await client.call('transcript.usage', { id, from: 0, to: 1000 });
    if (usage.state === 'ready') return usage;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function seriesOf(client: EngineClient, id: string, spec: unknown): Promise<Series> {
  const done = new Promise<Series>((resolve) => {
    let points: Series['points'] = [];
    client.on('series', (piece) => {
      points = [...points.slice(0, piece.from), ...piece.points];
      if (piece.complete) resolve({ ...piece, points });
    });
  });
  await client.call('series.start', { id, spec, samples: 240 });
  return done;
}

/** What the command line makes of the same file. */
async function fromCli(text: string, spec: unknown, at: number) {
  const [transcript] = importText(text).transcripts;
  if (transcript === undefined) throw new Error('no transcript');
  const source = MemoryTranscript.of(transcript);
  const request = { source, parsed: parsedOrFail(spec), at, about: aboutOf(transcript), tokens: true };
  return withProjector((projector) => projectRequest(projector, request));
}

test.each(SPECS.map((spec, number) => [number, spec] as const))(
  'spec %i: every door says the same',
  async (_n, spec) => {
    const { client, add, dir } = testEngine();
    const session = compactedSession(20);
    const id = await add('session.jsonl', session.text);
    await client.call('transcript.open', { id });
    const at = session.dropIndex - 2;
    const info = await finalOf(client, id, spec, at);
    expect(info.projected.provenance).toBe('calibrated');
    const total = info.projected.total + info.beside.total;
    // Command line.
    const cli = await fromCli(session.text, spec, at);
    expect(cli.tokens?.projected).toEqual(info.projected);
    expect(cli.tokens?.raw).toEqual(info.raw);
    expect(cli.held?.beside).toMatchObject({ overhead: info.beside.overhead, total: info.beside.total });
    expect(cli.held?.budget).toEqual(info.budget);
    expect(cli.held?.saved).toEqual(info.savedTokens);
    expect(cli.tokens?.calibration).toEqual(info.calibration);
    expect(info.budget?.used).toBe(total);
    // Stages that take something away account for all of the difference.
    const saved = info.savedTokens.reduce<number>((sum, tokens) => sum + (tokens ?? 0), 0);
    expect(info.raw.total - saved).toBe(info.projected.total);
    // The scrubber's bar.
    const series = await seriesOf(client, id, spec);
    const bar = series.points.find((point) => point.at === at);
    expect((bar?.byCategory ?? []).reduce((sum, tokens) => sum + tokens, series.beside)).toBe(total);
    expect(bar?.recorded?.input).toBeGreaterThan(0);
    expect(series.cost?.recorded).toBeGreaterThan(0);
    // The bundle, which another host projects again by what it states.
    const path = join(dir, 'one.parallax.json');
    await client.call('export.write', { id, spec, at, path });
    const bundle = JSON.parse(readFileSync(path, 'utf8'));
    expect(bundle.tokens.projected).toEqual(info.projected);
    expect(bundle.transcript.calibration).toEqual(info.calibration);
    expect(await client.call('verify.file', { path })).toMatchObject({ same: true, differences: [] });
    // Counted by another line it would be another projection, or at least another bundle: the line is not for show.
    if (bundle.inputs?.budget !== undefined && info.budget?.window === 30_000) {
      bundle.transcript.calibration.factor *= 3;
      writeFileSync(path, JSON.stringify(bundle));
      expect((await client.call('verify.file', { path })).same).toBe(false);
    }
  },
);

test('what each stage saved is counted before it is final, also of what a later stage takes out', async () => {
  const { client, add } = testEngine();
  // More stubs than are counted within one answer, most of which the window drops.
  const text = claudeCodeFile({ messages: 3000, seed: 7 });
  const id = await add('session.jsonl', text);
  await client.call('transcript.open', { id });
  await finalOf(client, id, 'raw', null);
  const spec = { version: 1, stages: ['tool_result_retention', { kind: 'sliding_window', options: { turns: 4 } }] };
  const { at, savedTokens } = await finalOf(client, id, spec, null);
  expect(savedTokens[0]).toBeGreaterThan(10_000);
  expect(savedTokens).toEqual((await fromCli(text, spec, at)).held?.saved);
});

test('the table of presets has the figures of the projections', async () => {
  const { client, add } = testEngine();
  const session = compactedSession(20);
  const id = await add('session.jsonl', session.text);
  await client.call('transcript.open', { id });
  await finalOf(client, id, 'raw', null);
  const { figures } = await client.call('budget.presets', { id, at: null });
  for (const figure of figures.slice(0, 6)) {
    const info = await finalOf(client, id, figure.spec, null);
    expect([figure.name, figure.tokens?.total, figure.beside]).toEqual([
      figure.name,
      info.projected.total,
      info.beside.total,
    ]);
  }
});

test('the calibrated figure of a recorded request is what was recorded, within the error of its line', async () => {
  const { client, add } = testEngine();
  const session = compactedSession(20);
  const id = await add('session.jsonl', session.text);
  await client.call('transcript.open', { id });
  const { requests } = await usageOf(client, id);
  const at = requests.at(-1)?.at ?? 0;
  const info = await finalOf(client, id, 'recorded_compaction', at);
  const usage = await client.call('transcript.usage', { id, from: 0, to: 0, at });
  const recorded = usage.figure?.input ?? 0;
  const total = info.projected.total + info.beside.total;
  expect(Math.abs(total - recorded) / recorded).toBeLessThan(0.02);
});

test('one setting gives plain counts, on the command line one switch, and they agree too', async () => {
  const { client, add } = testEngine();
  const session = compactedSession(20);
  const id = await add('session.jsonl', session.text);
  await client.call('transcript.open', { id });
  const calibrated = await finalOf(client, id, 'raw', null);
  await client.call('settings.set', { key: 'plainCounts', value: true });
  const plain = await finalOf(client, id, 'raw', null);
  expect(plain).toMatchObject({ calibration: null, beside: { total: 0, unrecorded: null } });
  expect(plain.projected.provenance).toBe('estimated');
  expect(plain.projected.total).not.toBe(calibrated.projected.total);
  countPlainly(true);
  try {
    const cli = await fromCli(session.text, 'raw', plain.at);
    expect(cli.tokens?.projected).toEqual(plain.projected);
    expect(cli.held?.budget).toEqual(plain.budget);
  } finally {
    countPlainly(false);
  }
  await client.call('settings.set', { key: 'plainCounts', value: false });
  expect((await finalOf(client, id, 'raw', null)).projected).toEqual(calibrated.projected);
});

test('a session without usage is never called calibrated, and what fits has a margin', async () => {
  const { client, add } = testEngine();
  const id = await add('plain.jsonl', sessionFile());
  await client.call('transcript.open', { id });
  const info = await finalOf(client, id, 'raw', null);
  expect(info.calibration).toBeNull();
  expect(info.projected.provenance).toBe('estimated');
  expect(info.budget).toMatchObject({ margin: 0.1, fits: true });
  const { total } = info.projected;
  const near = { version: 1, stages: [], budget: { window: Math.ceil(total * 1.05) } };
  expect((await finalOf(client, id, near, null)).budget).toMatchObject({ fits: false, overflow: null });
  const sure = { ...near, budget: { ...near.budget, margin: 0 } };
  expect((await finalOf(client, id, sure, null)).budget).toMatchObject({ fits: true });
});

test('budget and request dialog give one verdict, after any budget before it', async () => {
  const { client, add } = testEngine();
  const id = await add('session.jsonl', compactedSession(20).text);
  await client.call('transcript.open', { id });
  // The same projection for another budget, in which it fits: what is remembered of it must not answer for this one.
  expect((await finalOf(client, id, 'raw', null)).budget?.fits).toBe(true);
  const spec = { version: 1, stages: [], budget: { window: 30_000, reserve_output: 3000 } };
  const info = await finalOf(client, id, spec, null);
  const wire = await client.call('wire.export', { id, spec, at: null, target: 'anthropic' });
  const said = wire.findings.find(({ code }) => code === 'request.over_budget');
  expect(said).toMatchObject({ severity: 'error', index: info.budget?.overflow?.fromIndex });
  expect(said?.text).toContain(new Intl.NumberFormat('en').format(info.budget?.overflow?.tokens ?? 0));
  expect(wire.findingCounts.error).toBeGreaterThan(0);
  expect(wire.chosen).toContainEqual(expect.objectContaining({ field: 'max_tokens', value: '3000' }));
  // It was answered when it was sent: nobody refused it.
  const at = (await usageOf(client, id)).requests.at(-1)?.at ?? 0;
  const sent = { ...spec, stages: ['recorded_compaction'], budget: { window: 10_000 } };
  const recorded = await client.call('wire.export', { id, spec: sent, at, target: 'anthropic' });
  expect(recorded.findings.find(({ code }) => code === 'request.over_budget')?.severity).toBe('warning');
});

test('the list says of a transcript what its own window says, also after it was closed, and until it is counted again', async () => {
  const first = testEngine();
  const session = compactedSession(20);
  const lines = session.text.trimEnd().split('\n');
  const grown = (count: number) => `${lines.slice(0, count).join('\n')}\n`;
  const listed = async (client: EngineClient) => {
    const [one] = (await client.call('library.list', {})).transcripts;
    return { tokens: one?.tokens, tokensProvenance: one?.tokensProvenance };
  };
  const id = await first.add('session.jsonl', grown(lines.length - 4));
  await expect.poll(() => listed(first.client)).toMatchObject({ tokensProvenance: 'estimated' });
  const plain = await listed(first.client);
  await first.client.call('transcript.open', { id });
  const { raw } = await finalOf(first.client, id, 'raw', null);
  const own = { tokens: raw.total, tokensProvenance: 'calibrated' };
  expect(own.tokens).not.toBe(plain.tokens);
  expect(await first.client.call('transcript.open', { id })).toMatchObject(own);
  expect(await listed(first.client)).toEqual(own);
  // As they are, if the person wants that: at once, and back.
  await first.client.call('settings.set', { key: 'plainCounts', value: true });
  expect(await listed(first.client)).toEqual(plain);
  await first.client.call('settings.set', { key: 'plainCounts', value: false });
  expect(await listed(first.client)).toEqual(own);
  await first.dispose();

  const second = testEngine(first.dir);
  expect(await listed(second.client)).toEqual(own);
  await second.add('session.jsonl', session.text);
  await expect.poll(() => listed(second.client)).toMatchObject({ tokensProvenance: 'estimated' });
  await second.client.call('transcript.open', { id });
  const more = await finalOf(second.client, id, 'raw', null);
  expect(more.raw.total).toBeGreaterThan(raw.total);
  expect(await listed(second.client)).toEqual({ tokens: more.raw.total, tokensProvenance: 'calibrated' });
});
