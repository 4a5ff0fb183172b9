import { countBelow, turnAt } from '../../insight/places.ts';
import { PointTable } from '../../insight/pointTable.ts';
import type { Pricing } from '../../insight/pricing.ts';
import { PlannedPoints, planSeries, rawPoints, type SeriesPlan } from '../../insight/series.ts';
import { naiveStages } from '../../projection/allCallPoints.ts';
import { keptWord } from '../../projection/binding/types.ts';
import type { ParsedSpec } from '../../projection/parseSpec.ts';
import { turnScoped } from '../../projection/rendering.ts';
import type { ProtocolError } from '../../protocol/methods.ts';
import { bugError, type ClientContext, type Handlers } from '../../protocol/serve.ts';
import type { Series, SeriesPoint } from '../../protocol/types.ts';
import { TranscriptChangedError } from '../../store/index.ts';
import type { LoadedNow } from '../../tokens/loaded.ts';
import { err, ok } from '../../util/result.ts';
import { type Engine, failure } from '../engine.ts';
import { sessionPricing } from '../library/pricing.ts';
import { askedOf } from '../session/askedOf.ts';
import { type Following, followFigures } from '../session/callPoints.ts';
import { overheadFigure } from '../session/projecting.ts';
import { requestSpans } from '../session/requestSpans.ts';
import { rawFigures, SessionCache } from '../session/sessionCache.ts';

const REPORT_EVERY_MS = 100;
/** Points of one event: sending them takes about a millisecond. */
const REPORT_MOST = 500;
/** Call points that a range is looked up in at once: about 10 ms. */
const MOST_RANGE = 20_000;

const NOT_YET = { first: 0, points: [] };

interface Running {
  readonly seriesId: string;
  readonly client: ClientContext;
  /** What is known of all call points so far. */
  readonly table: PointTable;
  readonly pricing: Pricing;
  readonly beside: number;
  /** Source index of the next request. */
  readonly next: number;
  readonly isSampled: boolean;
  /** Points that were sent as computed. */
  sent: number;
}

/** Series over the call points: one at a time for each client, a newer one ends the older. */
type SeriesMethods = 'series.start' | 'series.stop' | 'series.range' | 'series.area';

export function seriesHandlers(engine: Engine): Pick<Handlers, SeriesMethods> {
  const running = new Map<number, Running>();
  const works = engine.clientWork();
  engine.whenLeft((clientId) => running.delete(clientId));
  let made = 0;
  return {
    'series.start'({ id, spec, samples, tokenizer, raw = true }, client) {
      const subject = askedOf(engine, { id, spec });
      if (!subject.ok) return subject;
      const { session, parsed } = subject.value;
      works.end(client.clientId);
      const tokens = session.tokenizing(tokenizer ?? parsed.spec.tokenizer);
      const { callPoints, turnStarts } = session.outline;
      const naive = naiveStages(parsed.stages);
      const plan = planSeries(callPoints, turnStarts, naive.length > 0 ? samples : null);
      const pricing = sessionPricing(engine, session);
      const beside = overheadFigure(tokens, parsed.spec).total;
      const table = new PointTable(plan.visited.length);
      const about = { beside, next: session.source.length, isSampled: plan.sampled, sent: 0 };
      const run: Running = { seriesId: `series-${++made}`, client, table, pricing, ...about };
      running.set(client.clientId, run);
      const toSeries: ToSeries = (from, points, complete, counted = true) => ({
        seriesId: run.seriesId,
        from,
        points,
        sampled: plan.sampled,
        callPoints: callPoints.length,
        beside,
        naive,
        models: pricing.models,
        cacheEvidence: cache.evidence,
        provenance: counted ? tokens.provenance : 'estimated',
        complete,
        // Samples are not sessions.
        cost: complete && plan.visited.length === callPoints.length ? cache.cost : null,
      });
      const cache = new SessionCache(engine, session, beside);
      const { loads } = tokens;
      const rawFrom = (from: number) => {
        const left = { ...plan, points: plan.points.slice(from) };
        return rawPoints(left, (at) => ({ byCategory: tokens.range(0, at), ...loadedIn(loads.before(at)) }));
      };
      const failed = (problem: string): void => {
        // Requests that were not computed cost nothing known: a sum of the others would read as that of all.
        client.emit('series', { ...toSeries(run.sent, raw ? [] : rawFrom(run.sent), true), cost: null, problem });
      };
      const work = { engine, session, parsed, tokens, points: plan.visited };
      const { done } = works.begin(client.clientId, run.seriesId, () =>
        session.work.background('series', (turn) => fill({ ...work, turn }, plan, run, { toSeries, failed, cache })),
      );
      // A bug in a stage ends this series and says so; it must not end the engine.
      done.catch((error: unknown) => {
        // Reported with the transcript: whoever shows it asks for the series of what it is now.
        if (error instanceof TranscriptChangedError) engine.takeInChanges();
        else failed(bugError(error).message);
      });
      return ok(toSeries(0, raw ? rawFrom(0) : [], false));
    },
    'series.stop'({ seriesId }, client) {
      if (running.get(client.clientId)?.seriesId === seriesId) works.end(client.clientId);
      return ok({});
    },
    'series.range'({ seriesId, from, to, most }, client) {
      const run = running.get(client.clientId);
      if (run?.seriesId !== seriesId) return err(unknownSeries(seriesId));
      const end = Math.min(to, from + MOST_RANGE);
      return ok(run.table.length < Math.min(end, run.table.capacity) ? NOT_YET : run.table.range(from, end, most));
    },
    'series.area'({ seriesId, from, to }, client) {
      const run = running.get(client.clientId);
      if (run?.seriesId !== seriesId) return err(unknownSeries(seriesId));
      // Samples are not the calls of an area.
      if (run.isSampled) return ok({ state: 'sampled' as const, totals: null });
      if (run.table.length < Math.min(to, run.table.capacity)) return ok({ state: 'counting' as const, totals: null });
      return ok({ state: 'final' as const, totals: run.table.area(from, to, run) });
    },
  };
}

function unknownSeries(seriesId: string): ProtocolError {
  return failure('series.unknown', `There is no series ${seriesId} any more.`);
}

function loadedIn(loaded: LoadedNow | null): Pick<SeriesPoint, 'loaded'> {
  return loaded === null || loaded.tokens === 0 ? {} : { loaded: loaded.tokens };
}

type ToSeries = (from: number, points: readonly SeriesPoint[], complete: boolean, counted?: boolean) => Series;

function isIdentity({ stages }: ParsedSpec): boolean {
  return stages.every(({ enabled, traits }) => !enabled || traits.gives === 'input');
}

interface Filling {
  readonly toSeries: ToSeries;
  /** Ends it with what went wrong. */
  readonly failed: (problem: string) => void;
  readonly cache: SessionCache;
}

/** Follows the call points and reports them in pieces, at most ten times a second. */
async function fill(
  work: Following,
  plan: SeriesPlan,
  run: Running,
  { toSeries, failed, cache }: Filling,
): Promise<void> {
  let isCounted = true;
  let points: SeriesPoint[] = [];
  const planned = new PlannedPoints(plan);
  const spans = requestSpans(work.session);
  let lastReported = performance.now();
  const send = (complete: boolean): void => {
    run.client.emit('series', toSeries(run.sent, points, complete, isCounted));
    run.sent += points.length;
    points = [];
    lastReported = performance.now();
  };
  const ended = await followRequests(work, (figures, counted) => {
    isCounted = counted;
    const { cache: kept, recorded } = cache.next(figures);
    const { at, byCategory, items, blocked, thinking, loaded } = figures;
    const time = spans.at(at);
    const model = run.pricing.positionAt(at);
    // Member by member: spread from what is mostly empty, points were a tenth of a walk along the call points.
    const point: { -readonly [K in keyof SeriesPoint]: SeriesPoint[K] } = {
      at,
      turn: turnAt(work.session.outline.turnStarts, at) ?? 0,
      byCategory,
      items,
      blocked,
    };
    if (model > 0) point.model = model;
    if (recorded !== undefined) point.recorded = recorded;
    if (loaded != null && loaded.tokens > 0) point.loaded = loaded.tokens;
    if (thinking !== null && keptWord(thinking) === 'refused') point.refused = true;
    if (time !== null) point.time = time;
    if (isNeighbour(work, at)) point.cache = kept;
    run.table.add(point, cache.charge);
    const done = planned.take(point);
    if (done === null) return true;
    points.push(done);
    if (points.length >= REPORT_MOST || performance.now() - lastReported >= REPORT_EVERY_MS) send(false);
    return true;
  });
  if (ended.ok) {
    isCounted = ended.value.counted;
    send(true);
  } else {
    send(false);
    failed(ended.error.message);
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
  if (points.length === callPoints.length) return true;
  const before = points[countBelow(points, at) - 1];
  return before !== undefined && callPoints[countBelow(callPoints, at) - 1] === before;
}
