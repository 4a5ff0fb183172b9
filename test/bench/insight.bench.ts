// Insight: anchors by the megabyte, the uses of a session once per transcript and under one policy, beside the naive way (a
// projection at each use), and what a click waits for meanwhile. In processor time.
import { anchorsOf } from '../../core/insight/anchors/anchors.ts';
import { UseFinder, UsesFollower } from '../../core/insight/uses/index.ts';
import { memorySource } from '../../core/model/memorySource.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import { callPoints } from '../../core/model/turns.ts';
import { followCallPoints } from '../../core/projection/allCallPoints.ts';
import { project } from '../../core/projection/project.ts';
import { createMemo } from '../../core/view/memo.ts';
import { plainOutcome, plainParts } from '../oracle/uses.ts';
import { claudeCodeLines } from '../support/generate.ts';
import { stagesOf } from '../support/projecting.ts';
import { benchClicks } from './clicks.bench.ts';
import { benchSwitch } from './compareSwitch.bench.ts';
import { benchKeep } from './keep.bench.ts';
import { median } from './measure.ts';
import type { BenchOptions, BenchRow } from './types.ts';

const GROUP = 'insight';
const SPEC = { version: 1, stages: [{ kind: 'clean_tool_repair' }, { kind: 'tool_result_retention' }] };
/** Uses of which the naive way is measured; the whole is told by their share. */
const NAIVE_USES = 20;
/** Of a long session, each of which the naive way reads as a whole. */
const NAIVE_USES_OF_LONG = 2;
const LONG = 50_000;

/** Rows of the group. */
export async function benchInsight({ quick }: BenchOptions): Promise<readonly BenchRow[]> {
  const [short, long] = quick ? [1_000, 10_000] : [10_000, 100_000];
  const rows = [...ofSession(sessionOf(short), 1_000), ...(await benchClicks(sessionOf(short)))];
  const longest = sessionOf(long);
  rows.push(...ofSession(longest, quick ? 1_000 : 15_000), ...(await benchClicks(longest)));
  const switches = quick ? benchSwitch(1_000) : [...benchSwitch(10_000), ...benchSwitch(100_000)];
  return [...anchorRows(quick ? 1_000 : 10_000), ...rows, ...benchKeep(quick ? 1_000 : 10_000), ...switches];
}

function sessionOf(messages: number): TranscriptSource {
  const texts = [...claudeCodeLines({ messages })].map((line) => JSON.stringify(JSON.parse(line).message));
  const source = memorySource(texts);
  for (let index = 0; index < source.length; index++) source.facts(index);
  return source;
}

function anchorRows(messages: number): readonly BenchRow[] {
  const source = sessionOf(messages);
  const fields = Array.from({ length: source.length }, (_, index) => plainParts(source.text(index)).flat()).flat();
  const chars = fields.reduce((sum, field) => sum + field.length, 0);
  const once = (): number => timed(() => fields.forEach((field) => void anchorsOf(field)));
  once();
  const value = chars / 1e3 / median([once(), once(), once()]);
  const note = `${(chars / 1e6).toFixed(1)} MB of text`;
  return [{ group: GROUP, name: 'anchors', value, unit: 'MB/s', aim: 'at least 20', ok: value >= 20, note }];
}

function ofSession(source: TranscriptSource, aimMs: number): readonly BenchRow[] {
  const messages = source.length;
  const finder = new UseFinder(source);
  const found = timed(() => {
    for (const _ of finder.grow());
  });
  const stages = stagesOf(SPEC);
  const memo = createMemo();
  const follower = (): UsesFollower => {
    const made = new UsesFollower({ source, finder, front: {} });
    const walk = { source, stages, points: callPoints(source), options: { memo } };
    const run = followCallPoints(walk, (point) => made.take(point));
    for (let step = run.next(null); step.done !== true; step = run.next(null));
    return made;
  };
  const cold = timed(follower);
  const warm = median([timed(follower), timed(follower), timed(follower)]);
  const { all } = follower();
  const sampled = messages > LONG ? NAIVE_USES_OF_LONG : NAIVE_USES;
  const sample = all.filter((_, nth) => nth % Math.ceil(all.length / sampled) === 0);
  const naive = timed(() => {
    for (const { at, evidence, kind } of sample) {
      plainOutcome(source, project(source, stages, at, { memo }).view, evidence, kind === 'anchor');
    }
  });
  const ratio = (naive * all.length) / Math.max(1, sample.length) / warm;
  const what = `${messages} messages`;
  const note = `${all.length} uses; naive by ${sample.length} of them; cold ${Math.round(cold)} ms`;
  const under = {
    group: GROUP,
    name: `${what}: uses under one policy, after the anchors`,
    value: warm,
    unit: 'ms',
    note,
  };
  return [
    { group: GROUP, name: `${what}: what messages relied on, whatever the policy`, value: found, unit: 'ms' },
    { ...under, ratio, against: 'naive', aim: `at most ${aimMs}`, ok: cold <= aimMs },
  ];
}

// Processor time of this thread, ms: what the work takes, whatever else the machine does.
function timed(run: () => unknown): number {
  const start = process.threadCpuUsage();
  run();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1e3;
}
