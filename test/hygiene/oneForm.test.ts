// Hygiene kept from one projection to the next, and followed along the call points: views, fates, sentences and reports of
// random broken histories are what one step gives, each rule acting in many of them.
import { isDeepStrictEqual } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import { followCallPoints } from '../../core/projection/allCallPoints.ts';
import { KeptPipeline } from '../../core/projection/keptPipeline.ts';
import { parseSpec, type ResolvedStage } from '../../core/projection/parseSpec.ts';
import { type ProjectOptions, projectSteps } from '../../core/projection/project.ts';
import { STAGES } from '../../core/projection/stages.ts';
import type { Projection } from '../../core/projection/types.ts';
import { RULE_NAMES, RULES, type RuleName } from '../../core/stages/hygiene/index.ts';
import { createMemo } from '../../core/view/memo.ts';
import type { StageReport } from '../../core/view/types.ts';
import { cases } from '../support/cases.ts';
import { type HygieneCase, hygieneCase, imageHost } from '../support/hygieneCases.ts';
import { randomBudget } from '../support/randomStages.ts';

const RUNS = Number(process.env.PARALLAX_HYGIENE_CASES ?? cases(1500, 500));
const PER_TEST = 250;
/** Seeds beyond those of the other tests. */
const FIRST = 100_000;

/** In how many runs each rule acted. */
const acted = new Map<RuleName, number>(RULE_NAMES.map((rule) => [rule, 0]));

function stagesIn(spec: unknown, registry: typeof STAGES): readonly ResolvedStage[] {
  const parsed = parseSpec(spec, registry);
  if (!parsed.ok) throw new Error(`${JSON.stringify(spec)}: ${parsed.error.map(({ text }) => text).join(', ')}`);
  return parsed.value.stages;
}

function projected(
  source: TranscriptSource,
  stages: readonly ResolvedStage[],
  at: number,
  options: ProjectOptions,
): Projection {
  const steps = projectSteps(source, stages, at, options);
  let step = steps.next();
  while (step.done !== true) step = steps.next(imageHost(step.value));
  return step.value;
}

/** All that a person can see of a projection, as data. */
function seen({ view, fates, reports, problems, keptIndices, droppedIndices, redactedIndices }: Projection): unknown {
  return JSON.parse(
    JSON.stringify({ items: view.items, fates, reports, problems, keptIndices, droppedIndices, redactedIndices }),
  );
}

function note({ fates, view }: Projection): void {
  const said = [
    ...fates.map(({ reason }) => reason),
    ...view.items.flatMap((item) => (item.kind === 'synthetic' && item.made ? [`${item.made.rule}: `] : [])),
  ].join('\n');
  for (const rule of RULE_NAMES) {
    const isNamed = said.includes(`${RULES[rule].title}: `) || said.includes(`${rule}: `);
    if (isNamed) acted.set(rule, (acted.get(rule) ?? 0) + 1);
  }
}

function* placesOf({ rng, source }: HygieneCase): Generator<number> {
  yield rng.below(source.length + 1);
  yield source.length;
}

describe('hygiene that is kept gives what one step gives', () => {
  const starts = Array.from({ length: Math.ceil(RUNS / PER_TEST) }, (_, nth) => FIRST + nth * PER_TEST);
  it.each(starts)('random histories, from seed %i', (start) => {
    for (let seed = start; seed < start + PER_TEST; seed++) {
      const made = hygieneCase(seed, seed % 2 === 0);
      const { source, spec, rng, replay } = made;
      const memo = createMemo();
      const kept = new KeptPipeline();
      for (const at of placesOf(made)) {
        const budget = randomBudget(rng);
        const found = projected(source, stagesIn(spec, STAGES), at, { budget, memo, kept });
        const expected = projected(source, stagesIn(spec, STAGES), at, { budget });
        if (at === source.length) note(found);
        const [one, other] = [seen(found), seen(expected)];
        if (!isDeepStrictEqual(one, other)) expect(one, `replay: ${replay}, at ${at}`).toEqual(other);
      }
    }
  });

  it('each rule acted in many of them', () => {
    for (const [rule, runs] of acted) expect(runs, rule).toBeGreaterThanOrEqual(Math.min(50, RUNS / 40));
  });

  afterAll(() => {
    if (process.env.PARALLAX_TABLE === undefined) return;
    for (const [rule, runs] of acted) console.log(`${rule.padEnd(28)} acted in ${runs} runs`);
  });
});

describe('hygiene along the call points reports what one step reports', () => {
  it('random histories', () => {
    for (let seed = FIRST; seed < FIRST + cases(PER_TEST, 100); seed++) {
      const { source, spec, rng, replay } = hygieneCase(seed);
      const budget = randomBudget(rng);
      const points = Array.from({ length: source.length + 1 }, (_, at) => at).filter(() => rng.chance(0.4));
      const stages = stagesIn(spec, STAGES);
      for (const { at, report } of reportsAlong(source, stages, points, budget)) {
        const expected = projected(source, stages, at, { budget }).reports[stages.length - 1];
        expect(report, `replay: ${replay}, followed to ${at}`).toEqual(expected);
      }
    }
  });
});

function* reportsAlong(
  source: TranscriptSource,
  stages: readonly ResolvedStage[],
  points: readonly number[],
  budget: ReturnType<typeof randomBudget>,
): Generator<{ readonly at: number; readonly report: StageReport | null }> {
  const run = followCallPoints({ source, stages, points, options: { budget } }, ({ at, stages: live }) => {
    const last = live[stages.length - 1];
    return { at, report: last !== undefined && 'report' in last ? (last.report as StageReport | null) : null };
  });
  let step = run.next(null);
  while (step.done !== true) {
    if (step.value.kind === 'point') yield step.value.figures;
    step = run.next(step.value.kind === 'effect' ? imageHost(step.value.effect) : null);
  }
}
