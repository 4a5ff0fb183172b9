// Where a stage belongs, by the order that the seeds state. Positions as values; the list itself is edited elsewhere.
import { ORDER, orderWarnings, stepOf } from '../../core/projection/orderRules.ts';
import type { ProjectionSpec, StageSpec } from '../../core/projection/types.ts';
import type { StageInfo } from '../../core/protocol/types.ts';
import { NO_TRAITS } from '../../core/view/stageTraits.ts';
import { moveStage } from '../state/editSpec.ts';

type Kinds = readonly Pick<StageInfo, 'kind' | 'family' | 'title' | 'traits'>[];

/** What of the stated order the spec breaks, with the places in `where.path`. */
export function orderProblems(stages: readonly StageSpec[], kinds: Kinds) {
  const known = stages.map(({ kind, enabled }) => {
    const info = kinds.find((one) => one.kind === kind);
    const { family = '', title = kind, traits = NO_TRAITS } = info ?? {};
    return { kind, family, title, traits, enabled: enabled ?? true };
  });
  return orderWarnings(known);
}

/** Where a new stage of this kind goes: before the first dearer reducer or one of a later step, else to the end. */
export function placeFor(stages: readonly StageSpec[], kind: string, kinds: Kinds): number {
  const cost = dearnessOf(kind, kinds);
  const dearer = stages.findIndex((stage) => dearnessOf(stage.kind, kinds) > cost);
  if (dearer !== -1) return dearer;
  const own = rankOf(kind, kinds);
  const later = own === null ? -1 : stages.findIndex((stage) => (rankOf(stage.kind, kinds) ?? -1) > own);
  return later === -1 ? stages.length : later;
}

/** The stages in the stated order; within a step, and where none is stated, they stay as they are. */
export function inOrder(spec: ProjectionSpec, kinds: Kinds): ProjectionSpec {
  let last = 0;
  const ranked = spec.stages.map((stage, at) => {
    last = rankOf(stage.kind, kinds) ?? last;
    return { stage, at, rank: last };
  });
  ranked.sort((a, b) => a.rank - b.rank || a.at - b.at);
  return { ...spec, stages: ranked.map(({ stage }) => stage) };
}

/** The last stage of a spec, moved to where a new one of its kind goes; answers that place too. */
export function placeLast(spec: ProjectionSpec, kinds: Kinds): { readonly spec: ProjectionSpec; readonly at: number } {
  const from = spec.stages.length - 1;
  const added = spec.stages[from];
  if (added === undefined) return { spec, at: 0 };
  const at = placeFor(spec.stages.slice(0, from), added.kind, kinds);
  return { spec: moveStage(spec, from, at), at };
}

// Of reducers: what goes part by part comes before what goes in whole turns. NaN = it has no place among them.
function dearnessOf(kind: string, kinds: Kinds): number {
  return kinds.find((one) => one.kind === kind)?.traits.dearness?.rank ?? Number.NaN;
}

function rankOf(kind: string, kinds: Kinds): number | null {
  const { family = '', traits = NO_TRAITS } = kinds.find((one) => one.kind === kind) ?? {};
  const step = stepOf({ family, traits });
  return step === null ? null : ORDER.indexOf(step);
}
