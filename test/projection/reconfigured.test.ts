// A stage that takes another option on its way gives, and says, what it gives when it is begun with it: whatever stands before
// and behind it, and however often options and call points have moved.
import { afterEach, expect, it, vi } from 'vitest';
import { memorySource } from '../../core/model/memorySource.ts';
import { KeptPipeline } from '../../core/projection/keptPipeline.ts';
import { PipelineStage } from '../../core/projection/pipelineStage.ts';
import { project } from '../../core/projection/project.ts';
import { createBudget } from '../../core/tokens/budget.ts';
import { type Rng, seededRng } from '../../core/util/rng.ts';
import { createMemo } from '../../core/view/memo.ts';
import { estimatedTokens } from '../../core/view/tokens.ts';
import { cases } from '../support/cases.ts';
import { seen } from '../support/equality/randomRuns.ts';
import { stagesOf } from '../support/projecting.ts';
import { randomTranscript } from '../support/randomTranscript.ts';

/** Options of the stages that take another one on their way. */
const MOVED: Readonly<Record<string, (rng: Rng) => object>> = {
  reachability_gc: (rng) => ({ root_window: rng.below(12), min_chars: rng.chance(0.2) ? 60 : 20 }),
  tool_result_retention: (rng) => ({
    mode: rng.pick(['count', 'age', 'never']),
    value: rng.below(6),
    ...(rng.chance(0.3) && { tools: { read: { mode: 'count', value: rng.below(3) } } }),
  }),
  sliding_window: (rng) => ({ turns: 1 + rng.below(12), every: rng.pick([1, 1, 3]), tokens: rng.pick([0, 0, 900]) }),
};

const OTHERS = [
  { kind: 'clean_tool_repair' },
  { kind: 'tier_caps' },
  { kind: 'summary' },
  { kind: 'hygiene', options: { profile: 'anthropic' } },
];

afterEach(() => void vi.restoreAllMocks());

it('any way of options and call points gives what one step gives', () => {
  const taken = new Map<string, number>();
  const reconfigure = PipelineStage.prototype.reconfigure;
  vi.spyOn(PipelineStage.prototype, 'reconfigure').mockImplementation(function (this: PipelineStage, stage, key) {
    const isTaken = reconfigure.call(this, stage, key);
    if (isTaken) taken.set(stage.kind, (taken.get(stage.kind) ?? 0) + 1);
    return isTaken;
  });
  for (let seed = 1; seed <= cases(60, 12); seed++) {
    const rng = seededRng(seed);
    const source = memorySource(randomTranscript({ seed, turns: 14, broken: seed % 3 === 0 }));
    const kinds = Object.keys(MOVED).filter(() => rng.chance(0.8));
    const stages = [
      ...OTHERS.slice(0, rng.below(2)),
      ...kinds.map((kind) => ({ kind, options: MOVED[kind]?.(rng) ?? {} })),
      ...OTHERS.slice(1 + rng.below(3)),
    ];
    const caps = rng.chance(0.3) ? { tool_result: { tokens: 300 } } : {};
    const budget = rng.chance(0.5) ? createBudget({ window: 4000, reserveOutput: 0, injectionReserve: 0, caps }) : null;
    const given = { budget, tokens: estimatedTokens(source), memo: createMemo(), kept: new KeptPipeline() };
    let at = source.length >> 1;
    for (let step = 0; step < 14; step++) {
      const replay = `replay: seed ${seed}, step ${step}, at ${at}, ${JSON.stringify(stages)}`;
      const bound = stagesOf({ version: 1, stages });
      const warm = project(source, bound, at, given);
      const cold = project(source, bound, at, { budget });
      expect(seen(warm), replay).toEqual(seen(cold));
      const moved = stages.filter(({ kind }) => kind in MOVED);
      // One is what a slider moves, several what another policy of the same kinds does.
      for (const stage of rng.chance(0.6) ? moved.slice(0, 1 + rng.below(3)) : moved.slice(-1)) {
        Object.assign(stage, { options: MOVED[stage.kind]?.(rng) });
      }
      if (rng.chance(0.4)) at = Math.min(source.length, at + rng.below(8));
    }
  }
  for (const kind of Object.keys(MOVED)) expect(taken.get(kind), kind).toBeGreaterThan(10);
});
