// What the stages of a spec made of a request, as the check of thinking gets it: of whole views, or of cells that
// have changed since the call point before.
import { cellsOf, type LiveView } from '../../view/liveView.ts';
import type { Fate, View, ViewItem } from '../../view/types.ts';
import type { LiveStage } from '../liveStage.ts';
import type { ResolvedStage } from '../parseSpec.ts';
import type { FateOf } from './outcome.ts';

/** A cell as a stage was given it, and as it gave it on. */
export interface ChangedCell {
  readonly cell: number;
  readonly was: readonly ViewItem[];
  readonly is: readonly ViewItem[];
}

/** The stages' steps to the call point. */
export interface ClientSteps {
  /** Cells that the stages at these positions may hold otherwise than before the last step, or at all. */
  changes(clients: ReadonlySet<number>): Iterable<ChangedCell & { readonly stage: number }>;
  readonly fateOf: FateOf;
}

/** A step of a projection, as far as it matters here. */
export interface BoundStep {
  readonly stage: ResolvedStage;
  readonly before: View;
  readonly output: { readonly view: View; readonly fates: ReadonlyMap<number, Fate> };
}

/** Steps of a projection. */
export function stepsOfViews(steps: readonly BoundStep[]): ClientSteps {
  return {
    *changes(clients) {
      for (const { stage, before, output } of steps) {
        if (!clients.has(stage.position) || before === output.view) continue;
        for (const changed of changedCells(before, output.view)) yield { ...changed, stage: stage.position };
      }
    },
    fateOf: (position, index) =>
      steps.find(({ stage }) => stage.position === position)?.output.fates.get(index) ?? null,
  };
}

/** What stages are given and give, in order. */
export interface LiveStep {
  readonly live: LiveStage;
  readonly input: LiveView;
}

/** Steps of stages that move along the call points. */
export function stepsOfStages(steps: readonly LiveStep[]): ClientSteps {
  return {
    *changes(clients) {
      for (const { live, input } of steps) {
        const stage = live.stage.position;
        if (!clients.has(stage)) continue;
        const cells = new Set([...input.changed.keys(), ...live.output.changed.keys()]);
        for (const cell of cells) yield { stage, cell, was: input.at(cell), is: live.output.at(cell) };
      }
    },
    fateOf: (position, index) => steps.find(({ live }) => live.stage.position === position)?.live.fateOf(index) ?? null,
  };
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
