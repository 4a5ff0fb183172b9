// A stage that is run at each call point as if there were no other, in the form that the frame asks for.
import { type RegisteredStage, registered } from '../../../core/projection/registry.ts';
import { UNTOUCHED } from '../../../core/view/fates.ts';
import type { IncrementalContext } from '../../../core/view/incremental.ts';
import type {
  StageAnswer,
  StageContext,
  StageDefinition,
  StageEffect,
  StageRun,
  View,
} from '../../../core/view/types.ts';
import { type WholeOutput, WholeRun } from '../../../core/view/wholeRun.ts';

/** What a stage was before. */
export type PlainStage<P> = Omit<StageDefinition<P>, 'incremental'> & {
  run(view: View, params: P, context: StageContext): StageRun;
};

export function plain<P extends object>(definition: PlainStage<P>): RegisteredStage {
  const { run, ...identity } = definition;
  return registered<P>({
    ...identity,
    incremental: (params: P, context: IncrementalContext) =>
      new WholeRun(context, (view, at) => runPlain(run(view(), params, at), view())),
  });
}

function* runPlain(run: StageRun, before: View): Generator<StageEffect, WholeOutput, StageAnswer> {
  const { view, fates, report, explain = () => UNTOUCHED } = yield* run;
  return {
    items: view === before ? null : view.items,
    fates,
    explain,
    report: () => report,
    blockedBy: report.blockedBy,
  };
}
