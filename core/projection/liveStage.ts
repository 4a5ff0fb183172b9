// One stage on its way along the call points, whoever it is of: a spec's, or the provider's.
import type { Problem } from '../model/problem.ts';
import type { IncrementalSteps } from '../view/incremental.ts';
import type { LiveView } from '../view/liveView.ts';
import type { Fate, FateKind } from '../view/types.ts';
import type { ResolvedStage } from './parseSpec.ts';

/** A stage as the run over all call points sees it. */
export interface LiveStage {
  readonly stage: ResolvedStage;
  readonly output: LiveView;
  /** Messages whose kind may be another than before the last step. */
  readonly touched: Iterable<number>;
  /** True if provider safety refuses it at its call point. */
  readonly blocked: boolean;
  /** What went wrong there, of a stage that runs the user's code. */
  readonly problems: readonly Problem[];
  step(input: LiveView, at: number): IncrementalSteps;
  /** What the stage does to a message; null = nothing, `kept` = it puts it back as it was said. */
  kind(index: number): FateKind | null;
  fateOf(index: number): Fate | null;
}
