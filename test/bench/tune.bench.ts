/**
 * A tuning run: 50 points of a policy of two stages over 10,000 messages, the specs moving together, beside the same specs one by
 * one, and beside a projection for each of them at every call point (of which some are measured; the whole is their share).
 * And a comparison of two policies along the session.
 */
import { performance } from 'node:perf_hooks';
import { nodeSha256 } from '../../core/engine/nodeHash.ts';
import { Sweep } from '../../core/engine/tune/index.ts';
import { importText } from '../../core/importers/memory.ts';
import { DifferenceFollower } from '../../core/insight/compare/along.ts';
import { PRICES } from '../../core/insight/prices.ts';
import { followTogether } from '../../core/insight/tune/together.ts';
import { readVariation } from '../../core/insight/tune/vary.ts';
import { UseFinder, UsesFollower } from '../../core/insight/uses/index.ts';
import { memorySource } from '../../core/model/memorySource.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import { callPoints } from '../../core/model/turns.ts';
import { CallPointSums, followCallPoints, type ReachedPoint } from '../../core/projection/allCallPoints.ts';
import { NO_SCOPES } from '../../core/projection/contextScopes.ts';
import { parseSpec, type ResolvedStage } from '../../core/projection/parseSpec.ts';
import { project } from '../../core/projection/project.ts';
import { STAGES } from '../../core/projection/stages.ts';
import { createMemo } from '../../core/view/memo.ts';
import { plainTally } from '../oracle/callPoints.ts';
import { claudeCodeFile, claudeCodeLines } from '../support/generate.ts';
import { stagesOf } from '../support/projecting.ts';
import type { BenchOptions, BenchRow } from './types.ts';

const POINTS = 50;
/** Specs that are followed one by one, and projections made, to tell how long all would take. */
const ALONE = 5;
const PROJECTIONS = 40;
const AIM_SECONDS = 30;
const THREADS = 2;

/** Rows of the group. */
export async function benchTune({ quick }: BenchOptions): Promise<readonly BenchRow[]> {
  const messages = quick ? 1_000 : 10_000;
  const source = memorySource(
    [...claudeCodeLines({ messages })].map((line) => JSON.stringify(JSON.parse(line).message)),
  );
  for (let index = 0; index < source.length; index++) source.facts(index);
  const specs = Array.from({ length: POINTS }, (_, at) => specOf(2 + at));
  const finder = new UseFinder(source);
  for (const _ of finder.grow());
  const together = seconds(() => walkTogether(source, finder, specs));
  const alone = (seconds(() => walkAlone(source, finder, specs.slice(0, ALONE))) / ALONE) * POINTS;
  const anew = seconds(() => projectSome(source, specs)) * ((POINTS * callPoints(source).length) / PROJECTIONS);
  const name = `${POINTS} points of 2 stages, ${messages.toLocaleString('en')} messages, each use listed, one thread`;
  const row = { group: 'insight', name, value: together, unit: 's' };
  return [
    { ...row, ratio: alone / together, against: 'each spec by itself' },
    { ...row, ratio: anew / together, against: 'a projection at every call point' },
    await sweepRow(messages),
    compareRow(source, messages),
  ];
}

/** The whole of it, as commands and screen have it: read, counted, uses found, priced, in two threads. */
async function sweepRow(messages: number): Promise<BenchRow> {
  const [transcript] = importText(claudeCodeFile({ messages })).transcripts;
  const parsed = parseSpec({ version: 1, stages: ['clean_tool_repair', 'reachability_gc'] }, STAGES);
  if (transcript === undefined || !parsed.ok) throw new Error('there is nothing to sweep');
  const { spec } = parsed.value;
  const varied = readVariation(`reachability_gc.root_window=2..${POINTS + 1}`, spec, STAGES);
  if (!varied.ok) throw new Error(varied.error);
  const sweep = new Sweep({
    question: { spec, variations: [varied.value], conditions: {}, seed: 1, starts: 1 },
    sessions: [{ name: 'bench', source: { from: 'memory', transcript }, scopes: NO_SCOPES }],
    options: { tokens: true, plain: false, cachePoints: 'auto', prices: PRICES, texts: [] },
    threads: THREADS,
  });
  const [started, used] = [performance.now(), process.cpuUsage()];
  await sweep.run();
  const value = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(used);
  const cpu = (user + system) / 1e6;
  const name = `sweep of ${POINTS} points, ${messages.toLocaleString('en')} messages, ${THREADS} threads`;
  const note = `${cpu.toFixed(1)} s of processor time`;
  return { group: 'insight', name, value, unit: 's', aim: `< ${AIM_SECONDS} s`, ok: value < AIM_SECONDS, note };
}

function specOf(root_window: number): readonly ResolvedStage[] {
  return stagesOf({ version: 1, stages: ['clean_tool_repair', { kind: 'reachability_gc', options: { root_window } }] });
}

function compareRow(source: TranscriptSource, messages: number): BenchRow {
  const memo = createMemo();
  const follower = new DifferenceFollower(source);
  const specs = [stagesOf('raw'), specOf(8)];
  const points = callPoints(source);
  const value = seconds(() => {
    let a: ReachedPoint | null = null;
    const run = followTogether({ source, specs, points, options: { memo, sha256: nodeSha256 } });
    for (let step = run.next(null); step.done !== true; step = run.next(null)) {
      if (step.value.kind !== 'point') continue;
      const { spec, point } = step.value.figures;
      if (spec === 0) a = point;
      else if (a !== null) follower.take(a, point);
    }
  });
  return { group: 'insight', name: `two policies along ${messages.toLocaleString('en')} messages`, value, unit: 's' };
}

/** What is asked at each call point of a spec. */
function watch(source: TranscriptSource, finder: UseFinder, memo: ReturnType<typeof createMemo>) {
  let sums: CallPointSums | null = null;
  const uses = new UsesFollower({ source, finder, front: {} });
  return (point: ReachedPoint): void => {
    sums ??= new CallPointSums(source, point, plainTally(source, memo));
    sums.take(point);
    uses.take(point);
  };
}

function walkTogether(source: TranscriptSource, finder: UseFinder, specs: readonly (readonly ResolvedStage[])[]): void {
  const memo = createMemo();
  const takes = specs.map(() => watch(source, finder, memo));
  const run = followTogether({ source, specs, points: callPoints(source), options: { memo, sha256: nodeSha256 } });
  for (let step = run.next(null); step.done !== true; step = run.next(null)) {
    if (step.value.kind === 'point') takes[step.value.figures.spec]?.(step.value.figures.point);
  }
}

function walkAlone(source: TranscriptSource, finder: UseFinder, specs: readonly (readonly ResolvedStage[])[]): void {
  for (const stages of specs) {
    const memo = createMemo();
    const take = watch(source, finder, memo);
    const run = followCallPoints(
      { source, stages, points: callPoints(source), options: { memo, sha256: nodeSha256 } },
      take,
    );
    for (let step = run.next(null); step.done !== true; step = run.next(null));
  }
}

function projectSome(source: TranscriptSource, specs: readonly (readonly ResolvedStage[])[]): void {
  const points = callPoints(source);
  const memo = createMemo();
  for (let nth = 0; nth < PROJECTIONS; nth++) {
    const at = points[Math.floor((nth * points.length) / PROJECTIONS)] ?? source.length;
    project(source, specs[nth % specs.length] ?? [], at, { memo, sha256: nodeSha256, explain: false });
  }
}

function seconds(run: () => void): number {
  const start = performance.now();
  run();
  return (performance.now() - start) / 1000;
}
