/**
 * All call points of a session at once: the core beside the naive way (a projection anew at each call point) under every
 * preset, and what a person waits for at 10,000 messages and 5,000 call points: chart and cache figures, the budget table,
 * another value of a parameter, and the longest that a click waits meanwhile. Chart and table are asked twice: in the moment
 * in which the session is opened, and when it has rested, so that what is read unasked is read.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { openEngine } from '../../core/engine/inProcess.ts';
import { nodeSha256 } from '../../core/engine/nodeHash.ts';
import { memorySource } from '../../core/model/memorySource.ts';
import { callPoints } from '../../core/model/turns.ts';
import { naiveStages, runCallPoints } from '../../core/projection/allCallPoints.ts';
import { PRESETS, presetsFor } from '../../core/projection/presets.ts';
import type { EngineClient } from '../../core/protocol/client.ts';
import { createMemo } from '../../core/view/memo.ts';
import { naiveCallPoints, plainTally } from '../oracle/callPoints.ts';
import { claudeCodeLines, writeClaudeCodeFile } from '../support/generate.ts';
import { stagesOf } from '../support/projecting.ts';
import { importAndCount, wholeSeries } from './engineCalls.ts';
import { median } from './measure.ts';
import type { BenchOptions, BenchRow } from './types.ts';

const GROUP = 'callpoints';
const PROFILES = ['auto', 'google', 'mistral', 'openai', 'openai-responses'];
const GC_WINDOWS = [8, 12, 16, 20, 24];
/** Call points of which the naive way is measured; the whole is told by their share. */
const NAIVE_POINTS = 40;

/** Rows of the group. */
export async function benchCallPoints({ quick }: BenchOptions): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const messages of quick ? [1_000] : [1_000, 10_000]) rows.push(...againstNaive(messages));
  const dir = mkdtempSync(join(tmpdir(), 'parallax-bench-'));
  try {
    const messages = quick ? 2_000 : 10_000;
    rows.push(...(await inEngine(dir, messages)), ...(await afterRest(dir, messages)));
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
  return rows;
}

function againstNaive(messages: number): readonly BenchRow[] {
  const texts = [...claudeCodeLines({ messages })].map((line) => JSON.stringify(JSON.parse(line).message));
  const source = memorySource(texts);
  const points = callPoints(source);
  for (let index = 0; index < source.length; index++) source.facts(index);
  return presetsFor(PRESETS, false).flatMap(({ name, spec }) => {
    const stages = stagesOf(spec);
    if (naiveStages(stages).length > 0) return [];
    const memo = createMemo();
    const options = { memo, sha256: nodeSha256 };
    const once = () =>
      runCallPoints({ source, stages, points, tally: plainTally(source, memo), options }, () => {
        throw new Error('no preset asks its host for something');
      });
    const cold = time(once);
    const warm = median([time(once), time(once), time(once)]);
    const sample = points.filter((_, at) => at % Math.ceil(points.length / NAIVE_POINTS) === 0);
    const naive = (time(() => naiveCallPoints(source, stages, sample, options)) * points.length) / sample.length;
    const what = `${messages} messages, ${points.length} call points, ${name}`;
    const note = `cold ${Math.round(cold)} ms; naive by ${sample.length} of its call points`;
    return [{ group: GROUP, name: what, value: warm, unit: 'ms', ratio: naive / warm, against: 'naive', note }];
  });
}

async function inEngine(dir: string, messages: number): Promise<readonly BenchRow[]> {
  const path = join(dir, 'session.jsonl');
  writeClaudeCodeFile(path, { messages });
  const opened = openEngine(join(dir, 'library'));
  if (!opened.ok) throw new Error(opened.error.text);
  const client = opened.value.connect();
  const id = await importAndCount(client, path);
  const row = rowOf(messages);
  await client.call('transcript.open', { id });
  const clicks: number[] = [];
  const chart = await timed(() => clickedSeries(client, id, spec(8), clicks));
  const table = await timed(() => client.call('budget.presets', { id, at: null }));
  const firstOver = await timed(() => client.call('budget.presets', { id, at: null, firstOver: true }));
  const changes: number[] = [];
  for (const window of GC_WINDOWS) changes.push(await timed(() => clickedSeries(client, id, spec(window), clicks)));
  const raw = await timed(() => clickedSeries(client, id, 'raw', clicks));
  const repaired: BenchRow[] = [];
  for (const profile of PROFILES) {
    const hygiene = { version: 1, stages: [{ kind: 'hygiene', options: { profile } }] };
    const took = await timed(() => clickedSeries(client, id, hygiene, clicks));
    repaired.push(row(`chart and cache, hygiene for ${profile}`, took, 1_500));
  }
  await opened.value.dispose();
  return [
    row('chart and cache, clean_tool_repair + reachability_gc, cold', chart, 2_000),
    row('budget table: this turn under every preset, then', table, 2_000),
    row('the two together, cold', chart + table, 2_000),
    row('its column of the first call that does not fit, which comes afterwards', firstOver, 5_000),
    row('another root_window, median', median(changes), 500),
    row('chart and cache, raw', raw, 500),
    ...repaired,
    row('a click meanwhile, longest', Math.max(...clicks), 50),
  ];
}

/** The same library, the session opened anew and left alone until the thread rests. */
async function afterRest(dir: string, messages: number): Promise<readonly BenchRow[]> {
  const opened = openEngine(join(dir, 'library'));
  if (!opened.ok) throw new Error(opened.error.text);
  const client = opened.value.connect();
  const [id = ''] = (await client.call('library.list', {})).transcripts.map((transcript) => transcript.id);
  const row = rowOf(messages);
  await client.call('transcript.open', { id });
  const clicks: number[] = [];
  const reading = await timed(() => untilRest(client, clicks));
  const chart = await timed(() => clickedSeries(client, id, spec(8), clicks));
  const table = await timed(() => client.call('budget.presets', { id, at: null }));
  await opened.value.dispose();
  const read = {
    group: GROUP,
    name: `${messages} messages: until an opened session rests`,
    value: reading,
    unit: 'ms',
  };
  return [
    { ...read, note: `read unasked; the last ${REST_MS} ms are the rest itself` },
    row('chart and cache, after rest', chart, 2_000),
    row('budget table, after rest', table, 2_000),
    row('the two together, after rest', chart + table, 1_600),
    row('a click while it is read unasked, longest', Math.max(...clicks), 50),
  ];
}

const REST_MS = 200;
/** Of that time the thread may be busy so much: clicks are answered. */
const REST_SHARE = 0.2;

async function untilRest(client: EngineClient, clicks: number[]): Promise<void> {
  let busy = 1;
  while (busy > REST_SHARE) {
    const before = performance.eventLoopUtilization();
    for (const end = performance.now() + REST_MS; performance.now() < end; ) {
      clicks.push(await timed(() => client.call('engine.info', {})));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    busy = performance.eventLoopUtilization(before).utilization;
  }
}

function spec(root_window: number): unknown {
  return { version: 1, stages: ['clean_tool_repair', { kind: 'reachability_gc', options: { root_window } }] };
}

function rowOf(messages: number) {
  return (name: string, value: number, aimMs: number): BenchRow => {
    const what = `${messages} messages: ${name}`;
    return { group: GROUP, name: what, value, unit: 'ms', aim: `under ${aimMs} ms`, ok: value < aimMs };
  };
}

/** Asks for a series and waits for its end; `clicks` gets how long calls took that came in between. */
async function clickedSeries(client: EngineClient, id: string, spec: unknown, clicks: number[]): Promise<void> {
  let isOver = false;
  const clicking = (async () => {
    while (!isOver) {
      clicks.push(await timed(() => client.call('engine.info', {})));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  await wholeSeries(client, id, spec).finally(() => {
    isOver = true;
  });
  await clicking;
}

function time(run: () => unknown): number {
  const start = performance.now();
  run();
  return performance.now() - start;
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}
