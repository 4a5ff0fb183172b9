// Uses of what was said before, under a policy. How to ask:
//
//   const finder = new UseFinder(source);            // once per transcript; again after it has grown
//   for (const _ of finder.grow());                  // in slices: each step is a few milliseconds
//   const uses = new UsesFollower({ source, finder, front, tokens, pricing });  // once per policy
//   // on a walk along the call points (followCallPoints): uses.take(point) at each; gives the uses of that call point
//   uses.all, uses.summary                           // what was found until then
//
// or, for hosts that need not pause: `usesOf({ source, stages, front, tokens, options }, answer)`.
import type { TranscriptSource } from '../../model/transcript.ts';
import { callPoints } from '../../model/turns.ts';
import { followCallPoints } from '../../projection/allCallPoints.ts';
import type { ResolvedStage } from '../../projection/parseSpec.ts';
import type { ProjectOptions } from '../../projection/project.ts';
import type { StageAnswer, StageEffect } from '../../view/types.ts';
import type { RecordedFront } from '../text/places.ts';
import { UseFinder } from './finder.ts';
import { UsesFollower, type UsesInput } from './follow.ts';
import type { Use, UsesSummary } from './types.ts';

export { UseFinder } from './finder.ts';
export { UsesCounter, UsesFollower, type UsesInput } from './follow.ts';
export { summaryOf, wasMissing } from './summary.ts';
export * from './types.ts';
export { UsesIndex } from './usesIndex.ts';

/** A transcript under a policy. `finder` = one that knows the transcript already. */
export interface UsesQuestion extends Pick<UsesInput, 'tokens' | 'pricing'> {
  readonly source: TranscriptSource;
  readonly stages: readonly ResolvedStage[];
  readonly front?: RecordedFront;
  readonly finder?: UseFinder;
  readonly options?: ProjectOptions;
}

/** All uses under a policy, in the order of the session, and what they come to. `answer` = what a host says to stages. */
export function usesOf(
  { source, stages, front = {}, finder = new UseFinder(source), options, tokens, pricing }: UsesQuestion,
  answer: (effect: StageEffect) => StageAnswer,
): { readonly uses: readonly Use[]; readonly summary: UsesSummary } {
  for (const _ of finder.grow());
  const known = { ...(tokens !== undefined && { tokens }), ...(pricing !== undefined && { pricing }) };
  const follower = new UsesFollower({ source, finder, front, ...known });
  const points = callPoints(source);
  const walk = { source, stages, points, ...(options !== undefined && { options }) };
  const run = followCallPoints(walk, (point) => follower.take(point));
  let step = run.next(null);
  while (step.done !== true) step = run.next(step.value.kind === 'effect' ? answer(step.value.effect) : null);
  return { uses: follower.all, summary: follower.summary };
}
