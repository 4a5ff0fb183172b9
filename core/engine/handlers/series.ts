import { CacheFollower } from '../../insight/cache.ts';
import { countBelow } from '../../insight/places.ts';
import { planSeries, rawPoints, type SeriesPlan } from '../../insight/series.ts';
import { CallPointSums, naiveStages } from '../../projection/allCallPoints.ts';
import type { ParsedSpec } from '../../projection/parseSpec.ts';
import { bugError, type ClientContext, type Handlers } from '../../protocol/channel.ts';
import type { Series, SeriesPoint } from '../../protocol/types.ts';
import { ok } from '../../util/result.ts';
import { type Following, followInSlices, SessionTally } from '../callPoints.ts';
import type { Engine } from '../engine.ts';
import { readSpecFor } from '../policyScopes.ts';
import { sessionPricing } from '../pricing.ts';

const TELL_EVERY_MS = 100;
/** Points of one event: sending them takes about a millisecond. */
const TELL_MOST = 500;

interface Running {
  readonly seriesId: string;
  readonly client: ClientContext;
  cancelled: boolean;
}

/** Series over the call points: one at a time for each client, a newer one ends the older. */
export function seriesHandlers(engine: Engine): Pick<Handlers, 'series.start' | 'series.stop'> {
  const running = new Map<number, Running>();
  let made = 0;
  return {
    'series.start'({ id, spec, samples, tokenizer }, client) {
      const found = engine.session(id);
      if (!found.ok) return found;
      const parsed = readSpecFor(engine, id, spec);
      if (!parsed.ok) return parsed;
      const session = found.value;
      const older = running.get(client.clientId);
      if (older) older.cancelled = true;
      const tokens = session.tokenizing(tokenizer ?? parsed.value.spec.tokenizer);
      const { callPoints, turnStarts } = session.outline;
      const naive = naiveStages(parsed.value.stages);
      const plan = planSeries(callPoints, turnStarts, naive.length > 0 ? samples : null);
      const run: Running = { seriesId: `series-${++made}`, client, cancelled: false };
      running.set(client.clientId, run);
      const { rule, price } = sessionPricing(engine, session);
      const told: Told = (from, points, complete, counted = true) => ({
        seriesId: run.seriesId,
        from,
        points,
        sampled: plan.sampled,
        callPoints: callPoints.length,
        naive,
        price,
        cacheRule: rule,
        provenance: counted ? tokens.provenance : 'estimated',
        complete,
      });
      const follower = new CacheFollower(rule, price);
      const raw = rawPoints(plan, (at) => tokens.range(0, at));
      if (isIdentity(parsed.value))
        return ok(told(0, identityPoints(raw, follower, session.source.partPrefix()), true));
      const work: Following = { engine, session, parsed: parsed.value, tokens, points: plan.visited };
      // A bug in a stage ends this series and says so; it must not end the engine.
      session.following++;
      void fill(work, plan, run, told, follower)
        .catch((error: unknown) => {
          if (!run.cancelled) client.emit('series', { ...told(0, [], true), problem: bugError(error).message });
        })
        .finally(() => session.following--);
      return ok(told(0, raw, false));
    },
    'series.stop'({ seriesId }, client) {
      const run = running.get(client.clientId);
      if (run?.seriesId === seriesId) run.cancelled = true;
      return ok({});
    },
  };
}

type Told = (from: number, points: readonly SeriesPoint[], complete: boolean, counted?: boolean) => Series;

function isIdentity({ stages }: ParsedSpec): boolean {
  return stages.every(({ enabled, kind }) => !enabled || kind === 'raw');
}

// The raw history only grows: each request begins with the one before.
function identityPoints(
  raw: readonly SeriesPoint[],
  follower: CacheFollower,
  partPrefix: ArrayLike<number>,
): readonly SeriesPoint[] {
  let before: { readonly messages: number; readonly tokens: number } | null = null;
  return raw.map((point) => {
    const { at, byCategory } = point;
    const prefix = before && { ...before, again: 0, brokenBy: null };
    const cache = follower.next({ prefix, byCategory, blocks: partPrefix[at] ?? 0 });
    before = { messages: at, tokens: byCategory.reduce((sum, tokens) => sum + tokens, 0) };
    return { ...point, items: at, blocked: false, cache };
  });
}

/** Follows the call points and tells of them in pieces, at most ten times a second. */
async function fill(
  work: Following,
  plan: SeriesPlan,
  run: Running,
  told: Told,
  follower: CacheFollower,
): Promise<void> {
  const { session, tokens } = work;
  const tally = new SessionTally(session, tokens);
  let sums: CallPointSums | null = null;
  let from = 0;
  let points: SeriesPoint[] = [];
  let lastTold = performance.now();
  const tell = (complete: boolean, counted = tally.counted): void => {
    run.client.emit('series', told(from, points, complete, counted));
    from += points.length;
    points = [];
    lastTold = performance.now();
  };
  const ended = await followInSlices(
    work,
    (point) => {
      tally.refill();
      sums ??= new CallPointSums(session.source, point, tally.add);
      return sums.take(point);
    },
    (figures) => {
      if (run.cancelled) return false;
      const cache = follower.next(figures);
      const planned = plan.points[from + points.length];
      if (planned?.at !== figures.at) return true;
      const { byCategory, items, blocked } = figures;
      points.push({ ...planned, byCategory, items, blocked, ...(isNeighbour(work, figures.at) && { cache }) });
      if (points.length >= TELL_MOST || performance.now() - lastTold >= TELL_EVERY_MS) tell(false);
      return true;
    },
  );
  if (run.cancelled || session.closed) return;
  if (!ended.ok) run.client.emit('series', { ...told(0, [], true), problem: ended.error.message });
  else tell(true, tally.counted && ended.value.guesses === 0);
}

// Of samples only the second of a pair stands behind the request it is compared with.
function isNeighbour({ session, points }: Following, at: number): boolean {
  const { callPoints } = session.outline;
  const before = points[countBelow(points, at) - 1];
  return before === undefined
    ? points.length === callPoints.length
    : callPoints[countBelow(callPoints, at) - 1] === before;
}
