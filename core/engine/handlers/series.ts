import { countBelow } from '../../insight/places.ts';
import { planSeries, rawPoints, type SeriesPlan } from '../../insight/series.ts';
import { naiveStages } from '../../projection/allCallPoints.ts';
import type { ParsedSpec } from '../../projection/parseSpec.ts';
import { turnScoped } from '../../projection/rendering.ts';
import { bugError, type ClientContext, type Handlers } from '../../protocol/serve.ts';
import type { Series, SeriesPoint } from '../../protocol/types.ts';
import { TranscriptChangedError } from '../../store/index.ts';
import type { LoadedNow } from '../../tokens/loaded.ts';
import { ok } from '../../util/result.ts';
import type { Engine } from '../engine.ts';
import { readSpecFor } from '../library/policyScopes.ts';
import { sessionPricing } from '../library/pricing.ts';
import { type Following, followFigures } from '../session/callPoints.ts';
import { overheadFigure } from '../session/projecting.ts';
import { rawFigures, SessionCache } from '../session/sessionCache.ts';

const REPORT_EVERY_MS = 100;
/** Points of one event: sending them takes about a millisecond. */
const REPORT_MOST = 500;

interface Running {
  readonly seriesId: string;
  readonly client: ClientContext;
}

/** Series over the call points: one at a time for each client, a newer one ends the older. */
export function seriesHandlers(engine: Engine): Pick<Handlers, 'series.start' | 'series.stop'> {
  const running = new Map<number, string>();
  const works = engine.clientWork();
  engine.whenLeft((clientId) => running.delete(clientId));
  let made = 0;
  return {
    'series.start'({ id, spec, samples, tokenizer }, client) {
      const found = engine.session(id);
      if (!found.ok) return found;
      const parsed = readSpecFor(engine, id, spec);
      if (!parsed.ok) return parsed;
      const session = found.value;
      works.end(client.clientId);
      const tokens = session.tokenizing(tokenizer ?? parsed.value.spec.tokenizer);
      const { callPoints, turnStarts } = session.outline;
      const naive = naiveStages(parsed.value.stages);
      const plan = planSeries(callPoints, turnStarts, naive.length > 0 ? samples : null);
      const run: Running = { seriesId: `series-${++made}`, client };
      running.set(client.clientId, run.seriesId);
      const { rule, price } = sessionPricing(engine, session);
      const beside = overheadFigure(tokens, parsed.value.spec).total;
      const toSeries: ToSeries = (from, points, complete, counted = true) => ({
        seriesId: run.seriesId,
        from,
        points,
        sampled: plan.sampled,
        callPoints: callPoints.length,
        beside,
        naive,
        price,
        cacheRule: rule,
        cacheEvidence: cache.evidence,
        provenance: counted ? tokens.provenance : 'estimated',
        complete,
        // Samples are not sessions.
        cost: complete && plan.visited.length === callPoints.length ? cache.cost : null,
      });
      const cache = new SessionCache(engine, session, beside);
      const { loads } = tokens;
      const raw = rawPoints(plan, (at) => ({ byCategory: tokens.range(0, at), ...loadedIn(loads.before(at)) }));
      const work = { engine, session, parsed: parsed.value, tokens, points: plan.visited };
      const { done } = works.begin(client.clientId, run.seriesId, () =>
        session.work.background('series', (turn) => fill({ ...work, turn }, plan, run, toSeries, cache)),
      );
      // A bug in a stage ends this series and says so; it must not end the engine.
      done.catch((error: unknown) => {
        // Reported with the transcript: whoever shows it asks for the series of what it is now.
        if (error instanceof TranscriptChangedError) engine.takeInChanges();
        else client.emit('series', { ...toSeries(0, [], true), problem: bugError(error).message });
      });
      return ok(toSeries(0, raw, false));
    },
    'series.stop'({ seriesId }, client) {
      if (running.get(client.clientId) === seriesId) works.end(client.clientId);
      return ok({});
    },
  };
}

function loadedIn(loaded: LoadedNow | null): Pick<SeriesPoint, 'loaded'> {
  return loaded === null || loaded.tokens === 0 ? {} : { loaded: loaded.tokens };
}

type ToSeries = (from: number, points: readonly SeriesPoint[], complete: boolean, counted?: boolean) => Series;

function isIdentity({ stages }: ParsedSpec): boolean {
  return stages.every(({ enabled, traits }) => !enabled || traits.gives === 'input');
}

/** Follows the call points and reports them in pieces, at most ten times a second. */
async function fill(
  work: Following,
  plan: SeriesPlan,
  run: Running,
  toSeries: ToSeries,
  cache: SessionCache,
): Promise<void> {
  let isCounted = true;
  let from = 0;
  let points: SeriesPoint[] = [];
  let lastReported = performance.now();
  const send = (complete: boolean): void => {
    run.client.emit('series', toSeries(from, points, complete, isCounted));
    from += points.length;
    points = [];
    lastReported = performance.now();
  };
  const ended = await followRequests(work, (figures, counted) => {
    isCounted = counted;
    const { cache: kept, ...recorded } = cache.next(figures);
    const planned = plan.points[from + points.length];
    if (planned?.at !== figures.at) return true;
    const { byCategory, items, blocked } = figures;
    const known = { ...planned, ...recorded, byCategory, ...loadedIn(figures.loaded ?? null), items, blocked };
    points.push(isNeighbour(work, figures.at) ? { ...known, cache: kept } : known);
    if (points.length >= REPORT_MOST || performance.now() - lastReported >= REPORT_EVERY_MS) send(false);
    return true;
  });
  if (!ended.ok) run.client.emit('series', { ...toSeries(0, [], true), problem: ended.error.message });
  else {
    isCounted = ended.value.counted;
    send(true);
  }
}

/** As followFigures; the raw history only grows, so that its figures are sums of the table. */
async function followRequests(
  work: Following,
  toSeries: Parameters<typeof followFigures>[1],
): ReturnType<typeof followFigures> {
  const { source, memo } = work.session;
  if (!isIdentity(work.parsed) || turnScoped(source, memo).length > 0) return followFigures(work, toSeries);
  let before: number | null = null;
  for (const at of work.points) {
    const pause = work.turn.pause();
    if (pause) await pause;
    if (!toSeries(rawFigures(work.session, work.tokens, before, at), true)) break;
    before = at;
  }
  return ok({ counted: true });
}

// Of samples only the second of a pair is behind the request it is compared with.
function isNeighbour({ session, points }: Following, at: number): boolean {
  const { callPoints } = session.outline;
  const before = points[countBelow(points, at) - 1];
  return before === undefined
    ? points.length === callPoints.length
    : callPoints[countBelow(callPoints, at) - 1] === before;
}
