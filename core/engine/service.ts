import { EngineError } from '../protocol/client.ts';
import type { ProtocolError } from '../protocol/methods.ts';
import { type Handlers, type ReadError, type Served, serve } from '../protocol/serve.ts';
import type { Transport } from '../protocol/transports.ts';
import { DamagedContentError, type Library, TranscriptChangedError } from '../store/index.ts';
import { isRecord, stringAt } from '../util/unknown.ts';
import { Engine, type EngineParts } from './engine.ts';
import { CHANGED, storeFailure } from './failures.ts';
import { Following } from './follow/following.ts';
import { annotationHandlers } from './handlers/annotations.ts';
import { autopsyHandlers } from './handlers/autopsy.ts';
import { budgetHandlers } from './handlers/budget.ts';
import { checkHandlers } from './handlers/check.ts';
import { compareHandlers } from './handlers/compare.ts';
import { filterHandlers } from './handlers/filter.ts';
import { findingsHandlers } from './handlers/findings.ts';
import { followHandlers } from './handlers/follow.ts';
import { forkHandlers } from './handlers/forks.ts';
import { jobHandlers } from './handlers/jobs.ts';
import { keepHandlers } from './handlers/keep.ts';
import { libraryHandlers } from './handlers/library.ts';
import { lintHandlers } from './handlers/lint.ts';
import { mappingHandlers } from './handlers/mappings.ts';
import { policyHandlers } from './handlers/policies.ts';
import { priceHandlers } from './handlers/prices.ts';
import { projectionHandlers } from './handlers/projection.ts';
import { reportHandlers } from './handlers/report.ts';
import { reproduceHandlers } from './handlers/reproduce.ts';
import { requestChangeHandlers } from './handlers/requestChange.ts';
import { requestLintHandlers } from './handlers/requestLint.ts';
import { reviewHandlers } from './handlers/review.ts';
import { sampleHandlers } from './handlers/sample.ts';
import { searchHandlers } from './handlers/search.ts';
import { seriesHandlers } from './handlers/series.ts';
import { specHandlers } from './handlers/spec.ts';
import { storageHandlers } from './handlers/storage.ts';
import { summaryHandlers } from './handlers/summaries.ts';
import { surveyHandlers } from './handlers/surveys.ts';
import { textTraceHandlers } from './handlers/textTrace.ts';
import { toolHandlers } from './handlers/tools.ts';
import { traceHandlers } from './handlers/trace.ts';
import { transcriptHandlers } from './handlers/transcripts.ts';
import { tuneHandlers } from './handlers/tune.ts';
import { usageHandlers } from './handlers/usage.ts';
import { usesHandlers } from './handlers/uses.ts';
import { watchHandlers } from './handlers/watch.ts';
import { whyHandlers } from './handlers/why.ts';
import { wireHandlers } from './handlers/wire.ts';
import { Reviews } from './review/reviews.ts';
import { Calibrations } from './session/calibrating.ts';
import { UsageReports } from './session/usage.ts';
import { THREAD_CLOCK, WorkQueue } from './session/workQueue.ts';
import { Surveys } from './survey/surveys.ts';
import type { Waits } from './threads/waits.ts';
import { Sweeps } from './tune/sweeps.ts';
import { loadNewestVocabularySoon } from './vocabularies.ts';

/** Whether a client is trusted with the machine (a command), or not (a page). */
export type ClientKind = 'command' | 'page';

/** An engine that clients can connect to. */
export interface Service {
  /** Answers the calls of one more client. A page names files by handles, anybody else by path. */
  serve(transport: Transport, kind?: ClientKind): Served;
  /** Drops what open transcripts can read or make again. */
  trim(): void;
  /** Cancels jobs, frees the sandbox, closes the library. */
  dispose(): Promise<void>;
}

/** Damage can make any code fail anywhere: a failure over damaged data is reported as the damage's. */
class DamageCheck {
  readonly #library: Library;
  #isWhole: boolean | null = null;

  constructor(library: Library) {
    this.#library = library;
  }

  /** Null if the library, and the transcript that was asked about, are whole. The pages are looked at once. */
  failure(params: unknown): ProtocolError | null {
    this.#isWhole ??= this.#library.isWhole();
    if (!this.#isWhole) return storeFailure(new DamagedContentError('its pages do not fit together'));
    const id = isRecord(params) ? stringAt(params, 'id') : undefined;
    if (id === undefined || this.#library.isTranscriptWhole(id)) return null;
    return storeFailure(new DamagedContentError(`the messages of ${id} are not what was stored`));
  }
}

/** What a service is made of. */
export interface ServiceParts extends Omit<EngineParts, 'newWork'> {
  /** Those who wait for its answers, for other threads to see. */
  readonly waits: Waits;
}

/** Makes the service out of its parts, which it owns from then on. */
export function createService(parts: ServiceParts): Service {
  const { waits } = parts;
  const engine = new Engine({ ...parts, newWork: () => new WorkQueue(THREAD_CLOCK, waits) });
  const reports = new UsageReports(engine);
  const surveys = new Surveys(engine, reports);
  const following = new Following(engine, surveys);
  const calibrations = new Calibrations(engine, reports);
  const sweeps = new Sweeps(engine);
  const reviews = new Reviews(engine);
  engine.onHeld = (id) => surveys.opened(id);
  engine.calibrated = (session) => calibrations.settle(session);
  engine.calibrating = (session) => calibrations.begin(session);
  const handlers: Handlers = {
    ...libraryHandlers(engine),
    ...surveyHandlers(engine, surveys),
    ...annotationHandlers(engine),
    ...storageHandlers(engine),
    ...summaryHandlers(engine),
    ...jobHandlers(engine),
    ...mappingHandlers(engine),
    ...followHandlers(engine),
    ...transcriptHandlers(engine),
    ...toolHandlers(engine),
    ...usageHandlers(engine, reports),
    ...requestChangeHandlers(engine),
    ...autopsyHandlers(engine),
    ...checkHandlers(engine),
    ...compareHandlers(engine),
    ...findingsHandlers(engine, reports),
    ...forkHandlers(engine),
    ...policyHandlers(engine),
    ...projectionHandlers(engine),
    ...whyHandlers(engine),
    ...budgetHandlers(engine),
    ...priceHandlers(engine),
    ...seriesHandlers(engine),
    ...traceHandlers(engine),
    ...textTraceHandlers(engine),
    ...keepHandlers(engine),
    ...usesHandlers(engine),
    ...watchHandlers(engine),
    ...tuneHandlers(engine, sweeps),
    ...filterHandlers(engine),
    ...lintHandlers(engine),
    ...requestLintHandlers(engine),
    ...wireHandlers(engine),
    ...searchHandlers(engine),
    ...specHandlers(),
    ...reportHandlers(engine, reviews),
    ...reviewHandlers(engine, reviews),
    ...reproduceHandlers(engine, reviews),
    ...sampleHandlers(engine),
  };
  engine.followAll();
  engine.upkeepWhenDue();
  const damage = new DamageCheck(parts.library);
  const readError: ReadError = (error, params) => {
    if (error instanceof EngineError) return error.data;
    if (!(error instanceof TranscriptChangedError)) return storeFailure(error) ?? damage.failure(params);
    engine.takeInChanges();
    return CHANGED;
  };
  const served = new Set<Served>();
  return {
    serve(transport, kind = 'command') {
      const options = { readError, onCall: () => waits.beginMoment() };
      const client = serve(transport, handlers, { ...options, ...(kind === 'page' && { resolve: parts.files.take }) });
      served.add(client);
      engine.addClient(client);
      const callOff = kind === 'page' ? loadNewestVocabularySoon(parts.library) : () => {};
      client.onClose(() => {
        callOff();
        served.delete(client);
        engine.removeClient(client.clientId);
      });
      return client;
    },
    trim: () => engine.trim(),
    async dispose() {
      following.stop();
      surveys.close();
      await sweeps.close();
      engine.close();
      await parts.jobs.close();
      await Promise.all([parts.sandbox.dispose(), parts.backgroundSandbox.dispose()]);
      for (const client of [...served]) client.close();
      parts.library.close();
    },
  };
}
