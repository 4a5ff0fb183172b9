// The sweeps of an engine: one at work at a time, all kept in the library with what was asked and what they found.

import type { TunedPoint } from '../../insight/tune/point.ts';
import { type JudgedPoint, judge, pointsAsCsv, pointsAsNdjson } from '../../insight/tune/report.ts';
import { type Axis, readVariation, type Variation } from '../../insight/tune/vary.ts';
import type { WatchedQuery } from '../../insight/watch/types.ts';
import { type ParsedSpec, parseSpec } from '../../projection/parseSpec.ts';
import { STAGES } from '../../projection/stages.ts';
import type { ProtocolError } from '../../protocol/methods.ts';
import { bugError } from '../../protocol/serve.ts';
import {
  type AskedSweep,
  SWEEP_POINTS_MOST,
  type SweepInfo,
  type SweepLine,
  type SweptAxis,
  type SweptPoint,
} from '../../protocol/tuneTypes.ts';
import { countOf, grouped } from '../../util/counts.ts';
import { err, ok, type Result } from '../../util/result.ts';
import { type Engine, failure } from '../engine.ts';
import { scopesOf } from '../library/policyScopes.ts';
import { cachePointsModeOf, pricesOf } from '../library/pricing.ts';
import { nodeSha256 } from '../nodeHash.ts';
import { threadsHere } from '../threads/pool.ts';
import { StoppedError } from '../threads/types.ts';
import { contentKey } from './contentKey.ts';
import { type KeyedSession, keptSweeps } from './keptSweeps.ts';
import {
  type Found,
  type KnownSweep,
  lineOfStored,
  nothingFound,
  type OutdatedSweep,
  readSweep,
} from './storedSweeps.ts';
import { NoValueError, RefusedSpecError, Sweep, TooManyPointsError } from './sweep.ts';
import type { GivenSession, SweepOptions } from './types.ts';

interface Running {
  readonly sweepId: string;
  readonly asked: AskedSweep;
  readonly found: Found;
  readonly madeAt: string;
  sweep: Sweep | null;
  isStopped: boolean;
}

/** How often a client hears of it at most; how often what was found is kept. */
const REPORT_EVERY_MS = 200;
const KEEP_EVERY_MS = 5_000;
/** Fixed, so that the same question finds the same. */
const SEED = 1;
const STARTS = 4;

/** Runs sweeps. */
export class Sweeps {
  readonly #engine: Engine;
  #running: Running | null = null;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Begins; a sweep at work is stopped. */
  start(given: AskedSweep): Result<{ readonly sweepId: string }, ProtocolError> {
    const lists = given.ids.map((id) => this.#watched(id));
    const watched = lists.reduce((sum, list) => sum + list.length, 0);
    const { watched: _, ...question } = given;
    const asked: AskedSweep = watched === 0 ? question : { ...question, watched };
    const parsed = parseSpec(asked.spec, STAGES);
    if (!parsed.ok) return err(refused(parsed.error.map(({ text }) => text).join(' ')));
    const variations = variationsOf(asked, parsed.value);
    if (!variations.ok) return err(refused(variations.error));
    const missing = asked.ids.find((id) => this.#engine.library.get(id) === null);
    if (missing !== undefined) return err(failure('transcript.unknown', `The library has no transcript ${missing}.`));
    // Other watchpoints are another question.
    const key = watched === 0 ? asked : [asked, lists];
    const sweepId = nodeSha256().update(JSON.stringify(key)).hex().slice(0, 24);
    if (this.#running?.sweepId === sweepId) return ok({ sweepId });
    void this.#stopRunning();
    const found = nothingFound(threadsHere());
    const running: Running = {
      ...{ sweepId, asked, found, madeAt: new Date().toISOString(), sweep: null, isStopped: false },
    };
    this.#running = running;
    void this.#run(running, parsed.value, variations.value);
    return ok({ sweepId });
  }

  #watched(id: string): readonly WatchedQuery[] {
    const all = this.#engine.library.tables.watchpoints.list(id);
    return all.map(({ text, matchCase, wholeWord }) => ({ text, matchCase, wholeWord }));
  }

  /** Ends a sweep if it is at work. */
  async stop(sweepId: string): Promise<void> {
    if (this.#running?.sweepId === sweepId) await this.#stopRunning();
  }

  /** Ends whatever is at work: the engine ends. */
  async close(): Promise<void> {
    await this.#stopRunning();
  }

  /** Of a sweep of another version its question, to be asked again. Error: `tune.unknown`. */
  get(sweepId: string): Result<SweepInfo, ProtocolError> {
    const sweep = this.#find(sweepId);
    if (sweep === null) return err(GONE);
    if (sweep.found === null) return sweep.asked === null ? err(OUTDATED) : ok(outdatedInfo(sweep, sweep.asked));
    const { asked, madeAt, found } = sweep;
    const { state, failure: said, axes, size, known, unsaid, threads } = found;
    const points = judged(sweep).map((point) => sweptPoint(point, axes, asked.ids));
    return ok({ sweepId, asked, state, failure: said, madeAt, axes, size, known, points, unsaid, threads });
  }

  list(id: string | null): readonly SweepLine[] {
    const kept = this.#engine.library.tables.sweeps.list().map(lineOfStored);
    const others = kept.filter(({ sweepId }) => sweepId !== this.#running?.sweepId);
    const all = [...(this.#running === null ? [] : [lineOf(this.#running)]), ...others];
    return all.filter(({ ids }) => id === null || ids.includes(id));
  }

  async remove(sweepId: string): Promise<void> {
    await this.stop(sweepId);
    this.#engine.library.tables.sweeps.remove(sweepId);
  }

  /** Error: `tune.unknown`. */
  export(
    sweepId: string,
    format: 'csv' | 'ndjson',
  ): Result<{ readonly name: string; readonly text: string }, ProtocolError> {
    const sweep = this.#find(sweepId);
    if (sweep === null) return err(GONE);
    if (sweep.found === null) return err(OUTDATED);
    const points = judged(sweep);
    const text = format === 'csv' ? pointsAsCsv(points) : pointsAsNdjson(points, sweep.asked.ids);
    return ok({ name: `parallax-sweep-${sweepId.slice(0, 8)}.${format}`, text });
  }

  #find(sweepId: string): KnownSweep | OutdatedSweep | null {
    if (this.#running?.sweepId === sweepId) return this.#running;
    const row = this.#engine.library.tables.sweeps.get(sweepId);
    return row === null ? null : readSweep(row);
  }

  async #stopRunning(): Promise<void> {
    const running = this.#running;
    if (running === null) return;
    running.isStopped = true;
    this.#end(running, 'stopped', null);
    await running.sweep?.stop();
  }

  async #run(running: Running, { spec }: ParsedSpec, variations: readonly Variation[]): Promise<void> {
    const { asked, found } = running;
    try {
      const options = this.#options(asked);
      const { given, keyed } = await this.#sessions(asked.ids, options);
      if (running.isStopped) return;
      const report = this.#reporter(running);
      running.sweep = new Sweep({
        question: {
          spec,
          variations,
          aim: asked.aim ?? undefined,
          conditions: conditionsOf(asked),
          seed: SEED,
          starts: STARTS,
        },
        ...{ sessions: given, options, threads: found.threads, most: SWEEP_POINTS_MOST },
        kept: keptSweeps(this.#engine, keyed, () => {
          found.known++;
        }),
        listeners: {
          axes: (axes, size) => {
            found.axes = axes.map(axisOf);
            found.size = size;
            report();
          },
          point: (point) => {
            found.points.push(lean(point));
            report();
          },
        },
      });
      const { points, winner, unsaid } = await running.sweep.run();
      if (running.isStopped) return;
      found.winner = winner && { at: points.indexOf(winner.point), proved: winner.proved };
      found.points = points.map(lean);
      found.unsaid = unsaid;
      this.#end(running, 'done', null);
    } catch (error) {
      if (running.isStopped || error instanceof StoppedError) this.#end(running, 'stopped', null);
      else this.#end(running, 'failed', failureText(error));
    }
  }

  #options({ keep }: AskedSweep): SweepOptions {
    const engine = this.#engine;
    const cachePoints = cachePointsModeOf(engine);
    return { tokens: true, plain: engine.plainCounts, cachePoints, prices: pricesOf(engine), texts: keep };
  }

  async #sessions(
    ids: readonly string[],
    options: SweepOptions,
  ): Promise<{ readonly given: readonly GivenSession[]; readonly keyed: readonly KeyedSession[] }> {
    const { library } = this.#engine;
    const given: GivenSession[] = [];
    const keyed: KeyedSession[] = [];
    for (const id of ids) {
      const session = this.#engine.session(id);
      if (!session.ok) throw new Error(session.error.message);
      const scopes = scopesOf(this.#engine, id);
      const watched = this.#watched(id);
      given.push({ name: id, source: { from: 'library', dir: library.dir, id }, scopes, watched });
      keyed.push({ id, key: await contentKey(session.value, options, scopes, watched) });
    }
    return { given, keyed };
  }

  // At once, then at most every so often; the last one is reported at the end.
  #reporter(running: Running): () => void {
    let [reportedAt, keptAt] = [0, Date.now()];
    return () => {
      const now = Date.now();
      if (now - reportedAt < REPORT_EVERY_MS || running.isStopped) return;
      reportedAt = now;
      this.#report(running);
      if (now - keptAt < KEEP_EVERY_MS) return;
      keptAt = now;
      this.#keep(running, 'stopped');
    };
  }

  #end(running: Running, state: Found['state'], said: string | null): void {
    if (this.#running !== running) return;
    this.#running = null;
    running.found.state = state;
    running.found.failure = said;
    this.#keep(running, state);
    this.#report(running);
  }

  // One that the program did not see the end of is kept as stopped.
  #keep({ sweepId, asked, found, madeAt }: Running, state: Found['state']): void {
    if (this.#engine.mayNote) this.#engine.library.tables.sweeps.put(sweepId, asked, { ...found, state }, madeAt);
  }

  #report({ sweepId, found: { state, points, size } }: Running): void {
    this.#engine.broadcast('tune', { sweepId, state, points: points.length, size });
  }
}

const GONE = failure('tune.unknown', 'The library no longer has this sweep.');
const OUTDATED = failure('tune.unknown', 'Another version made this sweep: run it again.');

function lineOf({ sweepId, asked, madeAt, found: { state, points, size } }: KnownSweep): SweepLine {
  return { sweepId, state, madeAt, ids: asked.ids, vary: asked.vary, points: points.length, size };
}

function outdatedInfo({ sweepId, madeAt }: OutdatedSweep, asked: AskedSweep): SweepInfo {
  return {
    ...{ sweepId, asked, madeAt, state: 'outdated', failure: null, axes: [], size: null, known: 0, points: [] },
    ...{ unsaid: [], threads: 0 },
  };
}

function refused(text: string): ProtocolError {
  return failure('tune.refused', text);
}

function variationsOf({ vary }: AskedSweep, { spec }: ParsedSpec): Result<readonly Variation[], string> {
  const found: Variation[] = [];
  for (const { stage, option, values } of vary) {
    const read = readVariation(`${stage}.${option}=${values}`, spec, STAGES);
    if (!read.ok) return read;
    if (found.some(({ name }) => name === read.value.name)) return err(`${read.value.name} is varied twice.`);
    found.push(read.value);
  }
  return ok(found);
}

function conditionsOf({ maxPeak, maxUsesGone, keep, watched = 0 }: AskedSweep) {
  const keepsWatched = keep.length + watched > 0;
  return { maxPeak: maxPeak ?? undefined, maxUsesGone: maxUsesGone ?? undefined, keepsWatched };
}

function failureText(error: unknown): string {
  if (error instanceof TooManyPointsError) {
    return `${countOf(error.size, 'point')}; ${grouped(SWEEP_POINTS_MOST)} at most. Give fewer values, or an aim.`;
  }
  if (error instanceof NoValueError || error instanceof RefusedSpecError) return error.message;
  return bugError(error).message;
}

function axisOf({ option, values }: Axis): SweptAxis {
  const { name, stage, param } = option;
  return { name, stage, option: param.name, label: param.label ?? param.name, values };
}

/** Without the requests' own figures: they are kept with the results. */
function lean(point: TunedPoint): TunedPoint {
  return { ...point, sessions: point.sessions.map((session) => ({ ...session, totals: [] })) };
}

function judged({ asked, found }: KnownSweep): readonly JudgedPoint[] {
  const { points, winner } = found;
  const best = winner === null ? undefined : points[winner.at];
  const judging = { aim: asked.aim ?? undefined, conditions: conditionsOf(asked) };
  return judge(points, {
    ...judging,
    winner: best === undefined ? null : { point: best, proved: winner?.proved === true },
  });
}

function sweptPoint(
  { point, broken, front, best, proved }: JudgedPoint,
  axes: readonly SweptAxis[],
  ids: readonly string[],
): SweptPoint {
  const { sessions, values, spec, ...figures } = point;
  const transcripts =
    ids.length < 2 ? [] : sessions.map(({ totals: _, ...sums }, at) => ({ ...sums, id: ids[at] ?? '' }));
  const chosen = axes.map(({ name }) => values[name] ?? '');
  return { ...figures, values: chosen, spec, front, breaks: broken, best, proved, transcripts };
}
