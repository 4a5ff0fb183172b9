// The reducers along all call points, against projecting anew at each: random options and budgets, alone and behind
// stages that change what they go by.
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../core/model/memorySource.ts';
import type { SummaryArtifact } from '../../core/model/summary.ts';
import type { PlacedCompaction } from '../../core/model/transcript.ts';
import { callPoints } from '../../core/model/turns.ts';
import { naiveStages, runCallPoints } from '../../core/projection/allCallPoints.ts';
import { resolveBudget } from '../../core/projection/budgetSpec.ts';
import { type Rng, seededRng } from '../../core/util/rng.ts';
import { createMemo } from '../../core/view/memo.ts';
import { comparable, naiveCallPoints, plainTally } from '../oracle/callPoints.ts';
import { cases } from '../support/cases.ts';
import { stagesOf } from '../support/projecting.ts';
import { SHAPES } from '../support/randomTranscript.ts';
import { randomTierTranscript } from '../support/tierParts.ts';

const TOOLS = ['read', 'run', 'Grep', 'edit_file', 'lookup'];
const rule = (rng: Rng) => ({ mode: rng.pick(['age', 'age', 'count', 'never']), value: rng.below(5) });

/** Random options of each reducer. */
const OPTIONS: Readonly<Record<string, (rng: Rng) => Readonly<Record<string, unknown>>>> = {
  tool_result_retention: (rng) => ({
    ...rule(rng),
    per_tool: Object.fromEntries(TOOLS.filter(() => rng.chance(0.3)).map((name) => [name, rule(rng)])),
    never_evict: TOOLS.filter(() => rng.chance(0.1)),
    every: rng.pick([1, 1, 2, 3]),
  }),
  sliding_window: (rng) => ({
    turns: rng.below(7),
    every: rng.pick([1, 1, 2, 3]),
    tokens: rng.pick([0, 0, 200, 1500]),
    fit_budget: rng.chance(0.3),
  }),
  summary: (rng) => ({
    when: rng.pick(['over_budget', 'always']),
    keep_turns: rng.below(4),
    every: rng.pick([1, 1, 2, 3]),
  }),
  tier_caps: (rng) => ({
    keep: rng.below(3),
    every: rng.pick([1, 1, 2, 5]),
    signed_thinking: rng.chance(0.5),
    never_evict: TOOLS.filter(() => rng.chance(0.1)),
  }),
  injection: (rng) => ({
    entries: { a: 'one', b: { text: 'two', role: 'system' } },
    place: rng.pick(['before', 'after']),
  }),
};

/** Stages that change what reducers go by: calls, results, turns. */
const OTHERS: readonly unknown[] = [
  'clean_tool_repair',
  'squash_failed_calls',
  'recorded_compaction',
  { kind: 'reachability_gc', options: { root_window: 3, min_chars: 20, respect_provider_signatures: false } },
  { kind: 'summary_prefix', options: { keep_last: 9 } },
];

function randomBudget(rng: Rng): object {
  const caps = {
    ...(rng.chance(0.3) && { tool_result: rng.pick(['20%', 100, 0]) }),
    ...(rng.chance(0.2) && { user: rng.pick(['5%', 20]) }),
    ...(rng.chance(0.5) && { image: rng.pick(['30%', 3000, 0]) }),
    ...(rng.chance(0.5) && { thinking: rng.pick(['2%', 60, 0]) }),
    ...(rng.chance(0.5) && { tool_call: rng.pick(['2%', 60, 0]) }),
  };
  return { window: 200 + rng.below(4000), injection_reserve: rng.below(50), caps };
}

interface Run {
  readonly seed: number;
  readonly spec: unknown;
  readonly budget: object;
}

function compare({ seed, spec, budget }: Run): void {
  const rng = seededRng(seed);
  const options = { seed, turns: 16, shape: rng.pick(SHAPES), broken: rng.chance(0.5), files: 6 };
  const texts = randomTierTranscript({ ...options, signed: seed % 3 === 0 });
  const middle = Math.floor(texts.length / 2);
  const compactions: PlacedCompaction[] = rng.chance(0.3) ? [{ at: middle, summaryIndex: middle }] : [];
  const summaries: SummaryArtifact[] = rng.chance(0.5)
    ? [{ from: 0, to: Math.floor(texts.length / 3), content: 'written', version: 1, origin: 'written' }]
    : [];
  const source = memorySource(texts, null, compactions, summaries);
  const stages = stagesOf(spec);
  const points = callPoints(source);
  const given = { budget: resolveBudget(budget, { own: null }) };
  const expected = naiveCallPoints(source, stages, points, given);
  const memo = createMemo();
  const tally = plainTally(source, memo);
  const found = runCallPoints({ source, stages, points, tally, options: { ...given, memo } }, () => {
    throw new Error('nothing is asked for');
  });
  const replay = `replay: seed ${seed}, spec ${JSON.stringify(spec)}, budget ${JSON.stringify(budget)}`;
  for (const [at, figures] of found.entries()) {
    expect(comparable(figures, expected[at]), `${replay}, at ${figures.at}`).toEqual(expected[at]);
  }
}

const KINDS = Object.keys(OPTIONS);
const stageOf = (kind: string, rng: Rng) => ({ kind, options: OPTIONS[kind]?.(rng) ?? {} });

describe('at every call point as if projected there', () => {
  it.each(KINDS)('%s follows, alone', (kind) => {
    expect(naiveStages(stagesOf({ version: 1, stages: [kind] }))).toEqual([]);
    for (let seed = 1; seed <= cases(60, 24); seed++) {
      const rng = seededRng(seed * 31);
      compare({ seed, spec: { version: 1, stages: [stageOf(kind, rng)] }, budget: randomBudget(rng) });
    }
  });

  it('in company', () => {
    for (let seed = 100; seed <= cases(220, 150); seed++) {
      const rng = seededRng(seed * 31);
      const stages = Array.from({ length: 2 + rng.below(3) }, () =>
        rng.chance(0.4) ? rng.pick(OTHERS) : stageOf(rng.pick(KINDS), rng),
      );
      compare({ seed, spec: { version: 1, stages }, budget: randomBudget(rng) });
    }
  });
});
