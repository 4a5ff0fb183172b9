// Every message's fate says by which rule, and where the stage has numbers, with which value against which threshold.
import type { ResolvedStage } from '../../core/projection/parseSpec.ts';
import { STAGES } from '../../core/projection/stages.ts';
import { NOT_CONCERNED } from '../../core/view/fates.ts';
import type { Fate } from '../../core/view/types.ts';

const MOST_TOLD = 3;

/** What is wrong with the explanations of a projection, in words. */
export function explanationFaults(stages: readonly ResolvedStage[], fates: readonly Fate[]): readonly string[] {
  const faults: string[] = [];
  const judged = new Set<Fate>();
  const isOn = stages.some(({ enabled }) => enabled);
  for (const [index, fate] of fates.entries()) {
    // Many messages share one fate.
    if (judged.has(fate)) continue;
    judged.add(fate);
    const fault = explanationFault(stages, fate, isOn);
    if (fault !== null) faults.push(`#${index} (${fate.kind}): ${fault}`);
    if (faults.length >= MOST_TOLD) break;
  }
  return faults;
}

/** The same of one message; null = nothing. `isOn` = a stage is. */
export function explanationFault(stages: readonly ResolvedStage[], fate: Fate, isOn: boolean): string | null {
  if (fate.stage === null) return isOn ? 'no stage explains it' : null;
  // The step behind all stages, which no spec names.
  const isRendering = fate.rule === 'turn_scoped_cleared' && fate.stage >= stages.length && fate.kind === 'kept';
  if (isRendering) return fate.reason === '' ? 'it gives no reason' : null;
  const stage = stages.find(({ position }) => position === fate.stage);
  if (stage === undefined || !stage.enabled) return `its stage ${fate.stage} is none of the spec, or off`;
  if (fate.rule === null || fate.rule === '') return `no rule is named: ${fate.reason}`;
  if (fate.reason.trim().length < 8) return `the reason says nothing: "${fate.reason}"`;
  return isNumberMissing(stage, fate) ? `${stage.kind} names no value of a number: "${fate.reason}"` : null;
}

// Rules that go by no option at all: what a message is, or who decided. A new one is named here, or says which option
// decided.
const WITHOUT_OPTIONS: ReadonlySet<string> = new Set([
  NOT_CONCERNED,
  'provider_safety',
  'error_result',
  'no_raw_content',
  'orphan_result',
  'unpaired',
  'instructions',
  'input',
  'before_first_turn',
  'behind_summary',
  'is_summary',
  'system_prompt',
  'system_segment',
  'never_evict',
  'summary',
  'reasoning_of_pruned_call',
]);

// Families whose numbers are limits of single rules, not of the decision (a picture's size, a result's placeholder).
const BY_RULE: ReadonlySet<string> = new Set(['hygiene', 'recorded']);

// A sentence of a stage with numbers holds one, or names the option that decided instead.
function isNumberMissing(stage: ResolvedStage, fate: Fate): boolean {
  if (BY_RULE.has(stage.family) || (fate.rule !== null && WITHOUT_OPTIONS.has(fate.rule))) return false;
  const schema = STAGES.find(stage.kind)?.params ?? [];
  const hasNumbers = schema.some(({ type }) => type === 'integer' || type === 'number');
  return hasNumbers && !/\d/.test(fate.reason) && !schema.some(({ name }) => fate.reason.includes(name));
}
