// The uses of an open transcript under a policy, at some of its call points, in slices.
import { RefusedFollower } from '../../insight/findings/index.ts';
import { UsesFollower } from '../../insight/uses/index.ts';
import type { ReachedPoint } from '../../projection/allCallPoints.ts';
import type { ParsedSpec } from '../../projection/parseSpec.ts';
import type { ProjectionSpec } from '../../projection/types.ts';
import type { ProtocolError } from '../../protocol/methods.ts';
import { ok, type Result } from '../../util/result.ts';
import type { Engine } from '../engine.ts';
import { pricingKey, sessionPricing } from '../library/pricing.ts';
import { followInSlices } from './callPoints.ts';
import { inTurns } from './inTurns.ts';
import type { Session } from './session.ts';
import type { WalkedUses } from './sessionUses.ts';
import type { Turn } from './workQueue.ts';

/** What is followed, and in whose turn. */
export interface UsesWork {
  readonly engine: Engine;
  readonly session: Session;
  readonly parsed: ParsedSpec;
  readonly turn: Turn;
}

/** Names what is kept of a policy: it counts as long as the transcript, its counts and the policy are the same. */
export function usesKey(session: Session, spec: ProjectionSpec): string {
  return `${session.source.length} ${session.inputsFor(spec).state} ${JSON.stringify(spec)}`;
}

/** What is kept of a policy, if prices are still the same. */
export function knownUses(engine: Engine, session: Session, spec: ProjectionSpec): WalkedUses | null {
  const known = session.uses.known.get(usesKey(session, spec));
  return known?.costs === pricingKey(engine, session) ? known : null;
}

/** As followUses at every call point, walked once for all who ask. */
export async function walkedUses(work: UsesWork): Promise<Result<WalkedUses, ProtocolError>> {
  const { engine, session, parsed } = work;
  const known = knownUses(engine, session, parsed.spec);
  if (known !== null) return ok(known);
  const [key, costs] = [usesKey(session, parsed.spec), pricingKey(engine, session)];
  const walked = await followUses(work, session.outline.callPoints);
  if (walked.ok) session.uses.known.set(key, { ...walked.value, costs });
  return walked;
}

/** The uses at these call points, ascending, and what would be refused there. `also` looks at each of them on the way. */
export async function followUses(
  { engine, session, parsed, turn }: UsesWork,
  points: readonly number[],
  also: (point: ReachedPoint) => void = () => {},
): Promise<Result<WalkedUses, ProtocolError>> {
  await inTurns(session.uses.grow(), turn);
  const { source, uses } = session;
  const pricing = sessionPricing(engine, session);
  const tokens = session.tokenizing(null);
  const front = source.row().meta;
  await inTurns(uses.finder.searchFront(front), turn);
  const follower = new UsesFollower({ source, finder: uses.finder, front, pricing, tokens: tokens.forStages() });
  const refused = new RefusedFollower();
  const followed = await followInSlices(
    { engine, session, parsed, tokens, turn, points },
    (point) => {
      also(point);
      refused.take(point);
      follower.take(point);
    },
    () => true,
  );
  return followed.ok ? ok({ uses: follower.index, refused: refused.runs }) : followed;
}
