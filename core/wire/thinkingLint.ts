// What a provider says of the thinking in a request: blocks that are no longer behind what they were made behind, and
// blocks of models that the reader does not read. With what can be done about it.
import { PRESERVED_THINKING } from '../projection/binding/setting.ts';
import type { BindingCause, ThinkingOutcome } from '../projection/binding/types.ts';
import { WITHOUT_THINKING } from '../projection/presets.ts';
import { STAGES } from '../projection/stages.ts';
import type { ProjectionSpec } from '../projection/types.ts';
import { countOf } from '../view/words.ts';

/** A way out: a spec to continue with, or a hint where none can be given. */
export interface Advice {
  readonly title: string;
  readonly help: string;
  readonly spec: ProjectionSpec | null;
}

/** A finding about thinking, as the lint of a view has them. `part` = position in the message's parts. */
export interface ThinkingFinding {
  readonly code: 'lint.bound_thinking' | 'lint.foreign_thinking';
  readonly severity: 'error' | 'warning' | 'info';
  readonly text: string;
  readonly index: number;
  readonly part: number;
  readonly advice: readonly Advice[];
}

/** The findings; `isAnswered` = the request was sent, and the transcript holds its answer. */
export function thinkingFindings(
  outcome: ThinkingOutcome | null,
  spec: ProjectionSpec,
  isAnswered: boolean,
): readonly ThinkingFinding[] {
  if (outcome === null) return [];
  return [...boundFindings(outcome, spec, isAnswered), ...foreignFindings(outcome)];
}

function boundFindings(outcome: ThinkingOutcome, spec: ProjectionSpec, isAnswered: boolean): ThinkingFinding[] {
  const { first, failing } = outcome;
  if (first === null) return [];
  const { index, part, cause } = first;
  const others = failing === 1 ? '' : `, and ${countOf(failing - 1, 'later block')} with it`;
  const text = `The thinking in #${index} is bound to a different conversation${others}: ${cause.reason}. ${consequence(outcome, isAnswered)}`;
  const advice = outcome.onMismatch === 'drop_block' ? [takeOut(spec)] : adviceFor(spec, cause);
  return [{ code: 'lint.bound_thinking', severity: severityOf(outcome, isAnswered), text, index, part, advice }];
}

function severityOf({ onMismatch, enforced }: ThinkingOutcome, isAnswered: boolean): ThinkingFinding['severity'] {
  if (onMismatch !== 'error' || isAnswered) return 'info';
  return enforced === true ? 'error' : 'warning';
}

function consequence({ onMismatch, enforced, reader, failing }: ThinkingOutcome, isAnswered: boolean): string {
  const model = reader ?? 'The model';
  if (isAnswered) return 'By the rule it would be refused, and yet it was answered: the account was not held to it.';
  switch (onMismatch) {
    case 'drop_block':
      return `${model} drops ${failing === 1 ? 'it' : 'them'}: not billed, not read, and dropped again at each request.`;
    case 'allowed':
      return `${model} lets ${failing === 1 ? 'it' : 'them'} through on an account made before 2026-08-31.`;
    case 'error':
      return enforced === true
        ? `${model} refuses the request (400).`
        : `${model} refuses the request (400) on accounts made from 2026-08-31 on; the account’s date is not set.`;
  }
}

function foreignFindings({ firstForeign, foreign, reader }: ThinkingOutcome): ThinkingFinding[] {
  if (firstForeign === null) return [];
  const { index, part, maker } = firstForeign;
  const others = foreign === 1 ? '' : `, and ${countOf(foreign - 1, 'other block')}`;
  const text = `${reader ?? 'The model'} does not read the thinking in #${index}, which ${maker} made${others}: dropped without a word, not billed.`;
  return [{ code: 'lint.foreign_thinking', severity: 'info', text, index, part, advice: [] }];
}

function adviceFor(spec: ProjectionSpec, cause: BindingCause): readonly Advice[] {
  return [takeOut(spec), dropBlocks(spec), ...byTheProvider(spec, cause)];
}

// Valid whatever the stages do: nothing is left to fail.
function takeOut(spec: ProjectionSpec): Advice {
  const at = spec.stages.findIndex(({ kind }) => STAGES.traitsOf(kind).repairs === true);
  const place = at < 0 ? spec.stages.length : at;
  return {
    title: 'Take all thinking out',
    help: 'Adds a stage that takes the thinking out of what is kept. Always valid; the model begins without it.',
    spec: { ...spec, stages: spec.stages.toSpliced(place, 0, WITHOUT_THINKING) },
  };
}

function dropBlocks(spec: ProjectionSpec): Advice {
  const help = PRESERVED_THINKING.find(({ value }) => value === 'drop_block')?.help ?? '';
  const setting = { ...spec.preserved_thinking, mode: 'drop_block' as const };
  return {
    title: 'Ask the provider to drop them',
    help: `Sets preserved_thinking to drop_block. ${help}`,
    spec: { ...spec, preserved_thinking: setting },
  };
}

// What the provider edits on its own side leaves what was sent as it was.
function byTheProvider(spec: ProjectionSpec, { stage }: BindingCause): readonly Advice[] {
  const kind = stage === null ? undefined : spec.stages[stage]?.kind;
  if (stage === null || kind === undefined) return [];
  const takes = STAGES.traitsOf(kind).clientTakes;
  const instead = STAGES.stages.find(({ traits }) => takes !== undefined && traits.providerTakes === takes)?.kind;
  if (instead === undefined) return [];
  return [
    {
      title: takes === 'history' ? 'Let the provider compact' : 'Let the provider clear results',
      help: `Puts ${instead} in the place of ${kind}: the provider edits on its own side, and all blocks stay valid.`,
      spec: { ...spec, stages: spec.stages.with(stage, { kind: instead }) },
    },
  ];
}
