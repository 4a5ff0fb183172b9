// Another policy chosen for B of A | B: its projection, both requests as lines, and their rows folded. A is on screen already.
import { performance } from 'node:perf_hooks';
import { nodeSha256 } from '../../core/engine/nodeHash.ts';
import { alignRequests } from '../../core/insight/compare/align.ts';
import { ComparedRows } from '../../core/insight/compare/foldEqual.ts';
import { memorySource } from '../../core/model/memorySource.ts';
import { project } from '../../core/projection/project.ts';
import { createMemo } from '../../core/view/memo.ts';
import { estimatedTokens } from '../../core/view/tokens.ts';
import { claudeCodeLines } from '../support/generate.ts';
import { stagesOf } from '../support/projecting.ts';
import { median } from './measure.ts';
import type { BenchRow } from './types.ts';

/** Milliseconds by number of messages: a frame may wait, a hand may not. */
const LIMITS: Readonly<Record<number, number>> = { 10000: 100, 100000: 1000 };

const CHOICES: readonly unknown[] = [
  'reachability_gc',
  { policy: 'summary_prefix', keep_last: 12 },
  { version: 1, stages: [{ kind: 'sliding_window', options: { turns: 40 } }] },
  { version: 1, stages: [{ kind: 'clean_tool_repair' }, { kind: 'tool_result_retention' }] },
];

/** A row for a session of that many messages; the slowest of four choices, median of three rounds of CPU time. */
export function benchSwitch(messages: number): readonly BenchRow[] {
  const texts = [...claudeCodeLines({ messages })].map((line) => JSON.stringify(JSON.parse(line).message));
  const source = memorySource(texts);
  for (let index = 0; index < source.length; index++) source.facts(index);
  const options = { memo: createMemo(), sha256: nodeSha256, tokens: estimatedTokens(source) };
  const a = project(source, stagesOf('raw'), source.length, options).view;
  const ms = CHOICES.map((spec) => {
    const stages = stagesOf(spec);
    const once = (): number => {
      const before = process.cpuUsage();
      const lines = alignRequests(source, a, project(source, stages, source.length, options).view);
      const rows = new ComparedRows(lines, []);
      rows.place(rows.rowCount - 1);
      return process.cpuUsage(before).user / 1000;
    };
    once();
    return median([once(), once(), once()]);
  });
  const value = Math.max(...ms);
  const limit = LIMITS[messages];
  const started = performance.now();
  alignRequests(source, a, a);
  const note = `slowest of ${CHOICES.length} policies; equal requests aligned in ${(performance.now() - started).toFixed(1)} ms`;
  const row = {
    group: 'insight',
    name: `A | B switch, ${messages.toLocaleString('en')} messages`,
    value,
    unit: 'ms',
    note,
  };
  return [limit === undefined ? row : { ...row, aim: `< ${limit} ms`, ok: value < limit }];
}
