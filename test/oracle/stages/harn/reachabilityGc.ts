// The plain form of reachability_gc.

import { reachabilityGc as ONE_FORM, type ReachabilityGcParams } from '../../../../core/stages/harn/reachabilityGc.ts';
import { rootLabels } from '../../../../core/stages/harn/roots.ts';
import { keptBecause, NOT_CONCERNED } from '../../../../core/view/fates.ts';
import type { StageContext, View } from '../../../../core/view/types.ts';
import { countOf, grouped } from '../../../../core/view/words.ts';
import type { PlainStage } from '../plain.ts';
import { conclude, type Decision, nothingToDo, unchanged } from './decision.ts';
import { GcRun } from './gcRun.ts';

const POLICY = { kind: 'reachability_gc', title: 'Reachability GC' };

const { incremental: _incremental, ...identity } = ONE_FORM;

export const reachabilityGc: PlainStage<ReachabilityGcParams> = {
  ...identity,
  // biome-ignore lint/correctness/useYield: a stage is a generator so that it can ask for user code; this one need not
  *run(view, params, context) {
    return conclude(POLICY, view, params, context, decide(view, params, context));
  },
};

function lacksBarrier({ requireWriteBarrier, rootTexts }: ReachabilityGcParams): boolean {
  return requireWriteBarrier && !rootTexts.some((text) => text.isBarrier);
}

function decide(view: View, params: ReachabilityGcParams, context: StageContext): Decision {
  const { rootWindow, rootTexts, requireWriteBarrier } = params;
  const roots = rootLabels(rootWindow, view.items.length, rootTexts, requireWriteBarrier);
  if (lacksBarrier(params)) {
    const reason = 'kept: no write barrier was given, without which nothing is reclaimed (require_write_barrier)';
    const kept = keptBecause(context.stage, 'write_barrier_missing', reason);
    const summary = 'nothing done: no write barrier was given';
    return unchanged('reachability_gc_write_barrier_missing', summary, () => kept, roots);
  }
  const run = new GcRun(view, params, context);
  const { items, fates, reclaimedChars, reclaimed, unsaved } = run.project();
  const longer = unsaved === 0 ? '' : ` · ${grouped(unsaved)} saved nothing`;
  const summary =
    reclaimed === 0
      ? nothingToDo(view)
      : `${countOf(reclaimed, 'result')} reclaimed · −${grouped(Math.floor(reclaimedChars / 4))} tok${longer}`;
  const kept = keptBecause(context.stage, NOT_CONCERNED, 'kept: it holds no tool result; only results are reclaimed');
  return { items, fates, explain: () => kept, reason: POLICY.kind, summary, reclaimedChars, roots };
}
