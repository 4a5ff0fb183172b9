/**
 * What a slider of a pipeline costs: a spec of six stages over a long session, each stage's option moved in turn, with
 * what the stages before it gave kept (as the app does) and without. On screen: group `screen`.
 */
import { nodeSha256 } from '../../core/engine/nodeHash.ts';
import { memorySource } from '../../core/model/memorySource.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import { KeptPipeline } from '../../core/projection/keptPipeline.ts';
import { parseSpec } from '../../core/projection/parseSpec.ts';
import { type ProjectOptions, project } from '../../core/projection/project.ts';
import { STAGES } from '../../core/projection/stages.ts';
import { createMemo } from '../../core/view/memo.ts';
import { estimatedTokens } from '../../core/view/tokens.ts';
import { claudeCodeLines } from '../support/generate.ts';
import { median, quantile } from './measure.ts';
import type { BenchOptions, BenchRow } from './types.ts';

const GROUP = 'slider';
/** Of the slowest option, median: a frame may wait, a hand may not. Milliseconds by number of messages. */
const LIMITS: Readonly<Record<number, number>> = { 10000: 100, 100000: 1000 };
const TURNS_KEPT = 1_000_000;
/** Messages whose fates are read of each projection. */
const IN_SIGHT = 100;

interface Stage {
  readonly kind: string;
  readonly options: Readonly<Record<string, unknown>>;
}

/** Six stages that leave most of the session standing, so that each has all of it to look at. */
const PIPELINE: readonly Stage[] = [
  { kind: 'clean_tool_repair', options: {} },
  { kind: 'reachability_gc', options: { root_window: 8, min_chars: 500 } },
  { kind: 'tool_result_retention', options: { mode: 'age', value: 6 } },
  { kind: 'sliding_window', options: { turns: TURNS_KEPT } },
  { kind: 'summary', options: {} },
  { kind: 'hygiene', options: { profile: 'anthropic' } },
];

/** The options that are moved: stage, and what it is given at each step. */
const MOVES: readonly (readonly [number, string, (step: number) => Readonly<Record<string, unknown>>])[] = [
  [1, 'root_window', (step) => ({ root_window: 9 + step, min_chars: 500 })],
  [1, 'min_chars', (step) => ({ root_window: 8, min_chars: 510 + 10 * step })],
  [2, 'retention age', (step) => ({ mode: 'age', value: 7 + step })],
  [3, 'window turns', (step) => ({ turns: TURNS_KEPT - 1 - step })],
  [5, 'history_limit', (step) => ({ profile: 'anthropic', history_limit: 40 + step })],
];

function stagesOf(stages: readonly Stage[]) {
  const parsed = parseSpec({ version: 1, stages }, STAGES);
  if (!parsed.ok) throw new Error(parsed.error.map(({ text }) => text).join('\n'));
  return parsed.value.stages;
}

function generated(messages: number): TranscriptSource {
  const texts = [...claudeCodeLines({ messages, seed: messages })].map((line): string => {
    const record: { readonly message: unknown } = JSON.parse(line);
    return JSON.stringify(record.message);
  });
  const source = memorySource(texts);
  for (let index = 0; index < source.length; index++) source.facts(index);
  return source;
}

/** Moves one option: milliseconds of each projection after it. */
function move(source: TranscriptSource, at: number, step: (step: number) => object, options: ProjectOptions): number[] {
  const times: number[] = [];
  for (let turn = 0; turn < 7; turn++) {
    const changed = PIPELINE.map((stage, i) => (i === at ? { kind: stage.kind, options: { ...step(turn) } } : stage));
    const stages = stagesOf(changed);
    const started = performance.now();
    const { said } = project(source, stages, source.length, options);
    // What the screen reads of each: the rows in sight.
    for (let index = source.length - IN_SIGHT; index < source.length; index++) said.fateOf(index);
    said.release();
    times.push(performance.now() - started);
  }
  return times;
}

function rowsOf(messages: number): readonly BenchRow[] {
  const source = generated(messages);
  const name = (what: string) => `${messages.toLocaleString('en')} messages, six stages: ${what}`;
  const base = { memo: createMemo(), sha256: nodeSha256, tokens: estimatedTokens(source) };
  const kept = new KeptPipeline();
  const started = performance.now();
  project(source, stagesOf(PIPELINE), source.length, { ...base, kept });
  const cold = performance.now() - started;
  const medians: number[] = [];
  const rows = MOVES.map(([at, what, step]): BenchRow => {
    const anew = move(source, at, step, base);
    project(source, stagesOf(PIPELINE), source.length, { ...base, kept });
    const times = move(source, at, step, { ...base, kept });
    const value = median(times);
    medians.push(value);
    const note = `median of ${times.length}, p95 ${quantile(times, 0.95).toFixed(0)} ms`;
    return {
      ...{ group: GROUP, name: name(what), value, unit: 'ms', note },
      ...{ ratio: median(anew) / value, against: 'every stage run anew' },
    };
  });
  const limit = LIMITS[messages] ?? 500;
  const slowest = Math.max(...medians);
  const held = { aim: `< ${limit} ms`, ok: slowest < limit };
  return [
    { group: GROUP, name: name('first projection'), value: cold, unit: 'ms', note: 'nothing remembered' },
    ...rows,
    { group: GROUP, name: name('slowest option'), value: slowest, unit: 'ms', ...held },
  ];
}

/** At 10,000 and 100,000 messages. */
export function benchSlider({ quick }: BenchOptions): Promise<readonly BenchRow[]> {
  return Promise.resolve((quick ? [10_000] : [10_000, 100_000]).flatMap(rowsOf));
}
