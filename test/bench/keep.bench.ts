// Keep this: the search for what would have kept a result, of a transcript that is open, against trying every value of the
// option one by one.
import { performance } from 'node:perf_hooks';
import { findChanges, keptThing } from '../../core/insight/keep/index.ts';
import { memorySource } from '../../core/model/memorySource.ts';
import { turnStarts } from '../../core/model/turns.ts';
import { project, type StageStep } from '../../core/projection/project.ts';
import { createMemo } from '../../core/view/memo.ts';
import { estimatedTokens } from '../../core/view/tokens.ts';
import { claudeCodeLines } from '../support/generate.ts';
import { stagesOf } from '../support/projecting.ts';
import { median } from './measure.ts';
import type { BenchRow } from './types.ts';

/** What a person waits for. Unit: ms. */
const AIM_MS = 1_000;

/** Rows of the group insight. */
export function benchKeep(messages: number): readonly BenchRow[] {
  const texts = [...claudeCodeLines({ messages })].map((line) => JSON.stringify(JSON.parse(line).message));
  const source = memorySource(texts);
  const at = source.length;
  const [memo, tokens] = [createMemo(), estimatedTokens(source)];
  const message = firstResult(source);
  const spec = { version: 1 as const, stages: [{ kind: 'tool_result_retention', options: {} }] };
  let tried = 0;
  const search = (): number =>
    timed(() => {
      const thing = keptThing({ message }, at, source, memo);
      if (thing === null) throw new Error('there is nothing to look for');
      const run = findChanges({ source, spec, at, subject: { message }, thing, tokens });
      let step = run.next();
      while (step.done !== true) {
        const steps: StageStep[] = [];
        const options = { memo, tokens, explain: false, observe: (one: StageStep) => void steps.push(one) };
        step = run.next({ view: project(source, step.value.parsed.stages, at, options).view, steps });
      }
      tried = step.value.tried;
    });
  search();
  const value = median([search(), search(), search()]);
  const one = timed(() => project(source, stagesOf(spec), at, { memo, tokens, explain: false }));
  const naive = one * turnStarts(source).length;
  const name = `${messages} messages: what would have kept a result`;
  const note = `${tried} specs projected`;
  const aim = { aim: `at most ${AIM_MS}`, ok: value <= AIM_MS };
  return [
    {
      group: 'insight',
      name,
      value,
      unit: 'ms',
      ratio: naive / value,
      against: 'every value of one option',
      ...aim,
      note,
    },
  ];
}

function firstResult(source: ReturnType<typeof memorySource>): number {
  for (let index = 0; index < source.length; index++) {
    if (source.facts(index).parts.some(({ kind }) => kind === 'tool_result')) return index;
  }
  throw new Error('the transcript holds no result');
}

function timed(run: () => unknown): number {
  const start = performance.now();
  run();
  return performance.now() - start;
}
