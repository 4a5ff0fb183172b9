// The check at one call point: what the stages' steps changed is noted, the request judged, and what the provider drops is
// taken out of the view.
import type { TranscriptSource } from '../../model/transcript.ts';
import { countFates } from '../../view/fates.ts';
import { cellsOf } from '../../view/liveView.ts';
import type { Fate, StageMemo, StageReport, View, ViewItem } from '../../view/types.ts';
import type { ResolvedStage } from '../parseSpec.ts';
import { bindingReport } from './bindingStage.ts';
import { ThinkingDecider } from './decider.ts';
import { type DropContext, dropFate, withoutDropped } from './dropBlocks.ts';
import { outcomeOf } from './outcome.ts';
import type { BindingInputs, ThinkingOutcome } from './types.ts';

/** A step of a projection, as far as it matters here. */
export interface BoundStep {
  readonly stage: ResolvedStage;
  readonly before: View;
  readonly output: { readonly view: View; readonly fates: ReadonlyMap<number, Fate> };
}

/** What the check comes to. `view` is the one given if nothing is dropped. */
export interface BoundView {
  readonly view: View;
  readonly fates: ReadonlyMap<number, Fate>;
  readonly report: StageReport;
  /** null = there is none before the call point. */
  readonly outcome: ThinkingOutcome | null;
}

/** Judges the request at a call point; null = the transcript holds no signed thinking. */
export function bindView(
  source: TranscriptSource,
  memo: StageMemo,
  at: number,
  stages: readonly ResolvedStage[],
  steps: readonly BoundStep[],
  view: View,
  inputs: BindingInputs,
): BoundView | null {
  const judge = new ThinkingDecider(source, memo, stages, inputs);
  if (judge.table.blocks.length === 0) return null;
  const clients = new Set(judge.clients);
  for (const { stage, before, output } of steps) {
    if (!clients.has(stage.position) || before === output.view) continue;
    for (const { cell, was, is } of changedCells(before, output.view)) judge.note(stage.position, cell, was, is);
  }
  judge.moveTo(at);
  const fateOf = (position: number, index: number): Fate | null =>
    steps.find(({ stage }) => stage.position === position)?.output.fates.get(index) ?? null;
  const outcome = outcomeOf(judge, inputs, stages, fateOf);
  const edited = outcome.dropped === 0 ? null : dropFrom({ source, memo, judge, inputs }, view);
  const fates = new Map<number, Fate>();
  for (const [index, stands] of edited?.touched ?? []) {
    const fate = dropFate({ source, memo, judge, inputs }, stages, index, stands, fateOf);
    if (fate !== null) fates.set(index, fate);
  }
  const report = bindingReport(stages.length, outcome, countFates(fates.values()));
  return {
    view: edited === null ? view : { items: edited.items },
    fates,
    report,
    outcome: judge.hasBegun ? outcome : null,
  };
}

interface Dropped {
  readonly items: readonly ViewItem[];
  /** Messages that lost blocks, with whether something of them is left. */
  readonly touched: ReadonlyMap<number, boolean>;
}

function dropFrom(context: DropContext, view: View): Dropped {
  const items: ViewItem[] = [];
  const touched = new Map<number, boolean>();
  for (const item of view.items) {
    const left = withoutDropped(context, item);
    if (left !== null) items.push(left);
    if (left !== item && item.kind === 'source') touched.set(item.index, left !== null);
  }
  return { items, touched };
}

interface ChangedCell {
  readonly cell: number;
  readonly was: readonly ViewItem[];
  readonly is: readonly ViewItem[];
}

const NOTHING: readonly ViewItem[] = [];

/** The cells in which two views differ. */
export function changedCells(before: View, after: View): readonly ChangedCell[] {
  const [a, b] = [cellsOf(before), cellsOf(after)];
  const changed: ChangedCell[] = [];
  for (const [cell, was] of a) {
    const is = b.get(cell) ?? NOTHING;
    if (was.length !== is.length || was.some((item, at) => item !== is[at])) changed.push({ cell, was, is });
  }
  for (const [cell, is] of b) if (!a.has(cell)) changed.push({ cell, was: NOTHING, is });
  return changed;
}
