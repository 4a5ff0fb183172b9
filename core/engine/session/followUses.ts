// The uses of an open transcript under a policy, at some of its call points, in slices.
import { type Use, UsesFollower } from '../../insight/uses/index.ts';
import type { ReachedPoint } from '../../projection/allCallPoints.ts';
import type { ParsedSpec } from '../../projection/parseSpec.ts';
import type { ProtocolError } from '../../protocol/methods.ts';
import { ok, type Result } from '../../util/result.ts';
import type { Engine } from '../engine.ts';
import { sessionPricing } from '../library/pricing.ts';
import { followInSlices } from './callPoints.ts';
import type { Session } from './session.ts';
import type { Turn } from './workQueue.ts';

/** What is followed, and in whose turn. */
export interface UsesWork {
  readonly engine: Engine;
  readonly session: Session;
  readonly parsed: ParsedSpec;
  readonly turn: Turn;
}

/** The uses at these call points, ascending. `also` looks at each of them on the way. */
export async function followUses(
  { engine, session, parsed, turn }: UsesWork,
  points: readonly number[],
  also: (point: ReachedPoint) => void = () => {},
): Promise<Result<readonly Use[], ProtocolError>> {
  for (const _ of session.uses.grow()) {
    const pause = turn.pause();
    if (pause) await pause;
  }
  const { source, uses } = session;
  const { price } = sessionPricing(engine, session);
  const tokens = session.tokenizing(null);
  const front = source.row().meta;
  const follower = new UsesFollower({ source, finder: uses.finder, front, price, tokens: tokens.forStages() });
  const followed = await followInSlices(
    { engine, session, parsed, tokens, turn, points },
    (point) => {
      also(point);
      return follower.take(point);
    },
    () => true,
  );
  return followed.ok ? ok(follower.all) : followed;
}
