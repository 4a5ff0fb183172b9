// A session under one policy, as a change of it is priced: sums over all requests, uses, and what the provider would make of
// one request. Walked once for as long as nothing is different.
import type { Measured } from '../../insight/keep/index.ts';
import { RequestSummer } from '../../insight/requestSums.ts';
import { UsesFollower } from '../../insight/uses/index.ts';
import { CallPointSums } from '../../projection/allCallPoints.ts';
import type { ParsedSpec } from '../../projection/parseSpec.ts';
import type { ProtocolError } from '../../protocol/methods.ts';
import { ok, type Result } from '../../util/result.ts';
import { lintView } from '../../wire/lint.ts';
import type { Engine } from '../engine.ts';
import { readSpecFor } from '../library/policyScopes.ts';
import { pricingKey, sessionPricing } from '../library/pricing.ts';
import { nodeSha256 } from '../nodeHash.ts';
import { BoundedMap } from './boundedMap.ts';
import { followInSlices, SessionTally } from './callPoints.ts';
import type { Session } from './session.ts';
import { SessionCache } from './sessionCache.ts';
import type { Turn } from './workQueue.ts';

/** Characters of edits that are counted for one request; what is beyond is estimated. */
const COUNT_CHARS = 500_000;
/** Policies whose figures are kept. */
const KEPT = 24;

/** Figures of a session under a policy, and of its request at a call point. */
export async function measured(
  engine: Engine,
  session: Session,
  given: unknown,
  at: number,
  turn: Turn,
): Promise<Result<Measured, ProtocolError>> {
  const parsed = readSpecFor(engine, session.id, given);
  if (!parsed.ok) return parsed;
  const { state } = session.inputsFor(parsed.value.spec);
  const known = session.memo.get('engine.measured', () => new BoundedMap<string, Measured>(KEPT));
  const key = JSON.stringify([session.source.length, state, at, parsed.value.spec, pricingKey(engine, session)]);
  const found = known.get(key);
  if (found !== undefined) return ok(found);
  const made = await measure(engine, session, parsed.value, at, turn);
  if (made.ok) known.set(key, made.value);
  return made;
}

async function measure(
  engine: Engine,
  session: Session,
  parsed: ParsedSpec,
  at: number,
  turn: Turn,
): Promise<Result<Measured, ProtocolError>> {
  const walked = await walk(engine, session, parsed, turn);
  if (!walked.ok) return walked;
  const inputs = session.inputsFor(parsed.spec);
  const projected = await engine.projectInBackground(session, parsed.stages, at, turn, inputs);
  if (!projected.ok) return projected;
  const { view, thinking } = projected.value;
  const tokens = session.tokenizing(null);
  const { findings } = lintView({
    view,
    source: session.source,
    memo: session.memo,
    sha256: (text) => nodeSha256().update(text).hex(),
    ...{ provider: '', modelApi: '', modelId: '' },
    thinking: { outcome: thinking, spec: parsed.spec, isAnswered: false },
  });
  return ok({
    ...walked.value,
    here: tokens.viewFigure(view, { chars: COUNT_CHARS }).figure.total,
    refusedFor: findings.find(({ severity }) => severity === 'error')?.text ?? null,
  });
}

async function walk(
  engine: Engine,
  session: Session,
  parsed: ParsedSpec,
  turn: Turn,
): Promise<Result<Omit<Measured, 'here' | 'refusedFor'>, ProtocolError>> {
  for (const _ of session.uses.grow()) {
    const pause = turn.pause();
    if (pause) await pause;
  }
  const { source, outline } = session;
  const tokens = session.tokenizing(null);
  const pricing = sessionPricing(engine, session);
  const { budget } = session.inputsFor(parsed.spec, { tokens });
  const overhead = tokens.besideWith(parsed.spec.budget?.overhead).total;
  const cache = new SessionCache(engine, session, overhead);
  const summer = new RequestSummer(budget, overhead, source.length);
  const front = source.row().meta;
  const uses = new UsesFollower({ source, finder: session.uses.finder, front, pricing, tokens: tokens.forStages() });
  const tally = new SessionTally(session, tokens);
  let sums: CallPointSums | null = null;
  const followed = await followInSlices(
    {
      engine,
      session,
      parsed,
      tokens,
      turn,
      points: outline.callPoints,
      look: (point) => tally.countAhead(point.view),
    },
    (point) => {
      sums ??= new CallPointSums(source, point, tally.add, tokens.loads);
      const figures = sums.take(point);
      const { cache: served } = cache.next(figures);
      summer.add(figures, { cache: served, cost: cache.charge.spent });
      uses.take(point);
    },
    () => true,
  );
  if (!followed.ok) return followed;
  const total = summer.totals.reduce((sum, each) => sum + each, 0);
  return ok({ sums: summer.sums, tokens: total, uses: uses.all, hasWindow: budget !== null });
}
