// What stages gave last time is given again only where it would be the same: every projection with kept runs equals a
// cold one, whatever was projected before it.
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../core/model/memorySource.ts';
import type { SummaryArtifact } from '../../core/model/summary.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import { KeptPipeline } from '../../core/projection/keptPipeline.ts';
import { PRESETS } from '../../core/projection/presets.ts';
import { project, type StageStep } from '../../core/projection/project.ts';
import { StagesSaid } from '../../core/projection/stagesSaid.ts';
import { createBudget } from '../../core/tokens/budget.ts';
import { sha256 } from '../../core/util/hash.ts';
import { seededRng } from '../../core/util/rng.ts';
import { createMemo } from '../../core/view/memo.ts';
import { estimatedTokens } from '../../core/view/tokens.ts';
import { COMPOSED_SPEC, composedTranscript } from '../support/composedTranscript.ts';
import { stagesOf } from '../support/projecting.ts';
import { randomTranscript } from '../support/randomTranscript.ts';

const budgetOf = (window: number) => createBudget({ window, reserveOutput: 0, injectionReserve: 0, caps: {} });

describe('kept runs', () => {
  it('equal cold ones over random walks through presets, call points and budgets', () => {
    for (let seed = 1; seed <= 6; seed++) {
      const rng = seededRng(seed);
      const source = memorySource(randomTranscript({ seed, turns: 16, broken: seed % 2 === 0 }));
      const memo = createMemo();
      const kept = new KeptPipeline();
      const tokens = estimatedTokens(source);
      for (let step = 0; step < 40; step++) {
        const first = rng.pick(PRESETS).spec.stages;
        const second = rng.pick(PRESETS).spec.stages;
        const stages = stagesOf({ version: 1, stages: rng.chance(0.5) ? [...first, ...second] : first });
        const at = rng.pick([source.length, source.length, rng.below(source.length + 1)]);
        const budget = rng.pick([null, budgetOf(900), budgetOf(4000)]);
        const warm = project(source, stages, at, { memo, kept, tokens, budget });
        const replay = `replay: seed ${seed}, step ${step}, at ${at}, ${stages.map(({ key }) => key).join(' → ')}`;
        expect(warm, replay).toEqual(project(source, stages, at, { budget }));
      }
    }
  });

  it('stay when a transcript grows, until it has more than they have room for, or another compaction', () => {
    const texts = randomTranscript({ seed: 3, turns: 40 });
    let length = 20;
    const whole = memorySource(texts);
    let compactions = whole.compactions();
    const growing: TranscriptSource = {
      ...whole,
      get length() {
        return length;
      },
      compactions: () => compactions,
      summaries: () => [],
    };
    const context = { source: growing, memo: createMemo(), sha256, tokens: estimatedTokens(growing), budget: null };
    const kept = new KeptPipeline();
    const nothing = new StagesSaid(0, true);
    const first = kept.take(context);
    kept.put(first, growing, nothing);
    length = 22;
    expect(kept.take(context)).toBe(first);
    kept.put(first, growing, nothing);
    length = 21;
    expect(kept.take(context)).not.toBe(first);
    kept.put(first, growing, nothing);
    length = first.room + 1;
    expect(kept.take(context)).not.toBe(first);
    length = 22;
    kept.put(first, growing, nothing);
    compactions = [{ at: 5 }];
    expect(kept.take(context)).not.toBe(first);
  });

  const source = composedTranscript();
  const specWith = (position: number, options: object) => ({
    ...COMPOSED_SPEC,
    stages: COMPOSED_SPEC.stages.map((stage, at) =>
      at === position ? { ...stage, options: { ...('options' in stage ? stage.options : {}), ...options } } : stage,
    ),
  });
  const outputs = (spec: unknown, memo = createMemo(), given: TranscriptSource = source) => {
    const steps: StageStep[] = [];
    const tokens = memo.get('test.tokens', () => estimatedTokens(given));
    const observe = (step: StageStep) => steps.push(step);
    project(given, stagesOf(spec), given.length, {
      memo,
      kept: memo.get('test.kept', () => new KeptPipeline()),
      tokens,
      observe,
    });
    return steps.map(({ output }) => output);
  };

  it('are the stages before the one that changed; the others run', () => {
    const memo = createMemo();
    const before = outputs(COMPOSED_SPEC, memo);
    const after = outputs(specWith(4, { turns: 6 }), memo);
    expect(after.map((output, at) => output === before[at])).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
    expect(after).toHaveLength(8);
  });

  it('are all of them where nothing changed', () => {
    const memo = createMemo();
    const before = outputs(COMPOSED_SPEC, memo);
    expect(outputs(COMPOSED_SPEC, memo).every((output, at) => output === before[at])).toBe(true);
  });

  it('end where a summary was written meanwhile', () => {
    const memo = createMemo();
    let written: readonly SummaryArtifact[] = [];
    const growing: TranscriptSource = { ...source, summaries: () => written };
    const spec = { version: 1, stages: [{ kind: 'summary', options: { when: 'always', keep_turns: 6 } }] };
    const [without] = outputs(spec, memo, growing);
    written = source.summaries();
    const [withOne] = outputs(spec, memo, growing);
    expect(withOne).not.toBe(without);
    expect(withOne?.report.summary).toContain('the written summary');
  });
});
