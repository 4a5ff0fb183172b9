// Every policy keeps the laws on random transcripts of all shapes, at several call points, alone and in company.
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../core/model/memorySource.ts';
import { callPoints } from '../../core/model/turns.ts';
import { parseSpec } from '../../core/projection/parseSpec.ts';
import { PRESETS } from '../../core/projection/presets.ts';
import { createRegistry, registered } from '../../core/projection/registry.ts';
import { STAGES } from '../../core/projection/stages.ts';
import { template } from '../../core/stages/harn/template.ts';
import { createBudget } from '../../core/tokens/budget.ts';
import { explanationFaults } from '../support/explained.ts';
import { checkProjection, coldContext, lawfully, sampled } from '../support/lawful.ts';
import { stagesOf } from '../support/projecting.ts';
import { randomTranscript, SHAPES } from '../support/randomTranscript.ts';

const stages = (...list: readonly unknown[]) => ({ version: 1, stages: list });
const SEEDS = 5;
// So small that the limits of every preset are met.
const TIGHT = createBudget({ window: 1500, reserveOutput: 100, injectionReserve: 0, caps: {} });
const GC = { kind: 'reachability_gc', options: { root_window: 3, min_chars: 50 } };

const SPECS: readonly unknown[] = [
  'raw',
  'clean_tool_repair',
  'squash_failed_calls',
  { policy: 'summary_prefix', keep_last: 5 },
  { policy: 'reachability_gc', root_window: 2, min_chars: 20 },
  { policy: 'custom', projector: '(m) => m' },
  { policy: 'clean_tool_repair', respect_provider_signatures: false },
  stages('clean_tool_repair', GC),
  stages(GC, 'squash_failed_calls', GC),
  stages('squash_failed_calls', { kind: 'summary_prefix', options: { keep_last: 7 } }, GC),
];

// Stages that stand in no preset, with the options nobody set; custom wants its code and is above.
const IN_PRESETS = new Set(PRESETS.flatMap(({ spec }) => spec.stages.map(({ kind }) => kind)));
const WITHOUT_PRESET = STAGES.stages
  .map(({ kind }) => kind)
  .filter((kind) => kind !== 'custom' && !IN_PRESETS.has(kind));

// Every preset too, as it is offered: a new one is held to the laws without being named here.
const NAMED: readonly (readonly [string, unknown])[] = [
  ...SPECS.map((spec) => [JSON.stringify(spec), spec] as const),
  ...PRESETS.map(({ name, spec }) => [`preset ${name}`, spec] as const),
  ...WITHOUT_PRESET.map((kind) => [`stage ${kind}`, stages(kind)] as const),
];

describe.each(NAMED)('%s keeps the laws', (name, spec) => {
  it.each(SHAPES)('in shape %s', (shape) => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const texts = randomTranscript({ seed, turns: 12, shape, broken: seed % 2 === 0, signed: seed % 4 === 3 });
      const source = memorySource(texts);
      for (const at of sampled(callPoints(source), 5)) {
        const { projection, faults } = lawfully(source, stagesOf(spec), at, coldContext(TIGHT));
        const unexplained = explanationFaults(stagesOf(spec), projection.fates);
        const replay = `replay: ${name}, shape ${shape}, seed ${seed}, at ${at}`;
        expect([...faults, ...unexplained], replay).toEqual([]);
      }
    }
  });
});

it('the stage to copy keeps them too', () => {
  const parsed = parseSpec('template', createRegistry([...STAGES.stages, registered(template)]));
  if (!parsed.ok) throw new Error('the template does not parse');
  const source = memorySource([
    '{"role":"user","content":""}',
    '{"role":"user","content":"x"}',
    ...randomTranscript({ seed: 1 }),
  ]);
  expect(checkProjection(source, parsed.value.stages, source.length)).toEqual([]);
});
