import type { Price } from '../../insight/prices.ts';
import { type Use, UseFinder, UsesFollower } from '../../insight/uses/index.ts';
import { callPoints } from '../../model/turns.ts';
import type { ParsedSpec } from '../../projection/parseSpec.ts';
import { countedTokens } from '../../view/countedTokens.ts';
import { createMemo } from '../../view/memo.ts';
import { countingOf } from './counting.ts';
import { followPoints } from './followPoints.ts';
import type { RequestProjector } from './projector.ts';
import { type RequestedSession, requestPricing } from './sessionRequests.ts';
import { stageInputs } from './stageInputs.ts';

/** All uses of a session under a policy. `isCounted` false: their tokens are estimates. */
export async function findUses(
  projector: RequestProjector,
  { source, meta, about }: RequestedSession,
  parsed: ParsedSpec,
  { isCounted, prices }: { readonly isCounted: boolean; readonly prices: readonly Price[] },
): Promise<readonly Use[]> {
  const finder = new UseFinder(source);
  for (const _ of finder.grow()) projector.check();
  const pricing = requestPricing({ source, meta, about }, prices);
  const counting = isCounted ? await countingOf(source, parsed.spec, about) : null;
  const tokens = counting === null ? {} : { tokens: countedTokens(source, counting) };
  const follower = new UsesFollower({ source, finder, front: meta, pricing, ...tokens });
  const options = { ...(await stageInputs(source, parsed, about)), memo: createMemo() };
  const walk = { source, parsed, points: callPoints(source), options };
  await followPoints(projector, walk, (point) => follower.take(point));
  return follower.all;
}
