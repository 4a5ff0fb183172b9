// Looks through transcripts of the library, one after the other: their figures, and their findings under the recorded
// history. In the job thread, with sessions like those on screen, so that both say the same.
import { type Library, TranscriptChangedError } from '../../store/index.ts';
import type { TranscriptRow } from '../../store/types.ts';
import { modelFacts } from '../../tokens/models.ts';
import { Engine } from '../engine.ts';
import { NO_LIMIT } from '../garbageLimit.ts';
import { runTokens } from '../jobs/runTokens.ts';
import type { JobRunner } from '../jobs/types.ts';
import type { SandboxClient } from '../sandbox/sandboxClient.ts';
import { Calibrations } from '../session/calibrating.ts';
import { modelOf } from '../session/transcriptModel.ts';
import { UsageReports } from '../session/usage.ts';
import { THREAD_CLOCK, WorkQueue } from '../session/workQueue.ts';
import type { Waits } from '../threads/waits.ts';
import { dueSurveys } from './surveyKey.ts';
import { surveySession } from './surveySession.ts';

/** How far a run is. */
export interface SurveysProgress {
  readonly done: number;
  readonly of: number;
}

/** How a run is watched, stopped and kept back. */
export interface SurveysOptions {
  readonly onProgress: (progress: SurveysProgress) => void;
  readonly signal: AbortSignal;
  /** Those who wait for the engine: between two slices it stands still for them. */
  readonly waits: Waits;
}

/**
 * Looks through what was not looked through as it is now, but for those whose ids are in `except`. Throws the signal's
 * reason when aborted; what is finished stays.
 */
export async function runSurveys(
  library: Library,
  except: readonly string[],
  { onProgress, signal, waits }: SurveysOptions,
): Promise<void> {
  const others = async (): Promise<void> => {
    await waits.calm(signal);
    await THREAD_CLOCK.breathe();
  };
  const engine = new Engine({
    library,
    jobs: NO_JOBS,
    sandbox: NO_SANDBOX,
    backgroundSandbox: NO_SANDBOX,
    files: NO_FILES,
    pageShell: null,
    garbage: NO_LIMIT,
    newWork: () => new WorkQueue({ ...THREAD_CLOCK, breathe: others }),
  });
  const reports = new UsageReports(engine);
  const calibrations = new Calibrations(engine, reports);
  engine.calibrated = (session) => calibrations.settle(session);
  engine.calibrating = (session) => calibrations.begin(session);
  try {
    const { due: all, of } = dueSurveys(engine);
    const due = all.filter(({ row }) => !except.includes(row.id));
    for (const [at, { row, key }] of due.entries()) {
      onProgress({ done: of - due.length + at, of });
      await others();
      signal.throwIfAborted();
      await runTokens(library, row.id, modelFacts(modelOf(row)).tokenizer, { signal, others });
      await surveyOne({ engine, reports, row, key, signal });
    }
  } finally {
    engine.close();
  }
}

interface SurveyWork {
  readonly engine: Engine;
  readonly reports: UsageReports;
  readonly row: TranscriptRow;
  readonly key: string;
  readonly signal: AbortSignal;
}

async function surveyOne(work: SurveyWork): Promise<void> {
  const { engine, row, key, signal } = work;
  const { surveys } = engine.library.tables;
  const stop = () => engine.forget(row.id);
  signal.addEventListener('abort', stop, { once: true });
  try {
    const session = engine.session(row.id);
    // Removed meanwhile.
    if (!session.ok) return;
    const made = await surveySession(engine, work.reports, session.value);
    signal.throwIfAborted();
    surveys.put(row.id, key, made.sums, made.figures);
  } catch (error) {
    if (signal.aborted) throw error;
    // It grew or went back while it was read: it is due again.
    if (!(error instanceof TranscriptChangedError)) throw error;
  } finally {
    signal.removeEventListener('abort', stop);
    engine.forget(row.id);
  }
}

// Neither jobs nor user code: the recorded history has none.
const NO_JOBS: JobRunner = {
  start: refuse,
  end: refuse,
  cancel: () => false,
  list: () => [],
  close: () => Promise.resolve(),
  follow: () => {},
  onJob: () => {},
  onNews: () => {},
};
const NO_SANDBOX: SandboxClient = { runGuarded: refuse, dispose: () => Promise.resolve() };
const NO_FILES = { give: refuse, take: () => null };

function refuse(): never {
  throw new Error('a survey starts no jobs and runs no user code');
}
