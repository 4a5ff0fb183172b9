// The projection at one call point, of a stage that is written once: one step from nothing, and its output read out.
import type { IncrementalRun } from './incremental.ts';
import { RunningStage } from './runningStage.ts';
import type { StageName } from './stageSays.ts';
import type { StageContext, StageRun, View } from './types.ts';
import { WholeView } from './wholeView.ts';

/** Runs a stage at one call point. `run` has not moved yet. */
export function* oneStep(run: IncrementalRun, name: StageName, view: View, context: StageContext): StageRun {
  const stage = new RunningStage(run, name, context);
  yield* stage.open(new WholeView(view, context.source.length), context.at);
  return stage.read(view);
}
