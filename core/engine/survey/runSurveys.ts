// Looks through transcripts of the library, one after the other: their figures, and their findings under the recorded
// history. In the job thread, with sessions like those on screen, so that both say the same.
import { surveyFigures, surveySums } from '../../insight/survey/index.ts';
import { defaultSpec } from '../../projection/presets.ts';
import { EngineError } from '../../protocol/client.ts';
import { type Library, TranscriptChangedError } from '../../store/index.ts';
import type { TranscriptRow } from '../../store/types.ts';
import { modelFacts } from '../../tokens/models.ts';
import { Engine } from '../engine.ts';
import { runTokens } from '../jobs/runTokens.ts';
import type { JobRunner } from '../jobs/types.ts';
import { sessionPricing } from '../library/pricing.ts';
import type { SandboxClient } from '../sandbox/sandboxClient.ts';
import { Calibrations } from '../session/calibrating.ts';
import { findFindings, isHistory } from '../session/findings.ts';
import { readSpec } from '../session/projecting.ts';
import type { Session } from '../session/session.ts';
import { modelOf } from '../session/transcriptModel.ts';
import { UsageReports } from '../session/usage.ts';
import { dueSurveys } from './surveyKey.ts';

/** How far a run is. */
export interface SurveysProgress {
  readonly done: number;
  readonly of: number;
}

/** Looks through what was not looked through as it is now. Throws the signal's reason when aborted; what is finished stays. */
export async function runSurveys(
  library: Library,
  onProgress: (progress: SurveysProgress) => void,
  signal: AbortSignal,
): Promise<void> {
  const engine = new Engine({
    library,
    jobs: NO_JOBS,
    sandbox: NO_SANDBOX,
    backgroundSandbox: NO_SANDBOX,
    files: NO_FILES,
  });
  const reports = new UsageReports(engine);
  const calibrations = new Calibrations(engine, reports);
  engine.calibrated = (session) => calibrations.settle(session);
  engine.calibrating = (session) => calibrations.begin(session);
  try {
    const { due, of } = dueSurveys(engine);
    for (const [at, { row, key }] of due.entries()) {
      onProgress({ done: of - due.length + at, of });
      signal.throwIfAborted();
      await runTokens(library, row.id, modelFacts(modelOf(row)).tokenizer, { signal });
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
    const made = await survey(work, session.value);
    signal.throwIfAborted();
    surveys.put(row.id, key, made.sums, made.figures);
  } catch (error) {
    if (signal.aborted) throw error;
    // It grew or went back while it was read: it is due again.
    if (error instanceof TranscriptChangedError) return;
    if (!(error instanceof EngineError)) throw error;
    surveys.put(row.id, key, failed(error.data.message), { turns: 0, slots: [], tools: [] });
  } finally {
    signal.removeEventListener('abort', stop);
    engine.forget(row.id);
  }
}

async function survey({ engine, reports, signal }: SurveyWork, session: Session) {
  const { source } = session;
  await engine.calibrated(session);
  signal.throwIfAborted();
  const parsed = readSpec(defaultSpec(source.compactions().length > 0, source.projections().length > 0));
  if (!parsed.ok) throw new EngineError(parsed.error);
  const report = isHistory(session, parsed.value) ? await reports.of(session) : null;
  if (report?.ok === false) throw new EngineError(report.error);
  const usage = report?.value ?? null;
  const found = await session.work.background('checks', (turn) =>
    findFindings({ engine, session, parsed: parsed.value, usage, turn }),
  ).done;
  signal.throwIfAborted();
  if (!found.ok) throw new TranscriptChangedError('it was closed while it was looked through');
  if (!found.value.ok) throw new EngineError(found.value.error);
  const tokens = session.tokenizing(null);
  const figures = surveyFigures({
    source,
    meta: (index) => source.meta(index),
    price: sessionPricing(engine, session).price,
    tokens: (index, part) => tokens.part(index, part).tokens,
  });
  const { provenance } = tokens;
  return {
    figures,
    sums: surveySums({ ...found.value.value, figures, provenance: provenance === 'recorded' ? 'exact' : provenance }),
  };
}

function failed(failure: string) {
  const none = { findings: [], tools: [], again: { tokens: 0, cost: null }, cost: null };
  return { ...none, looksAtCache: false, provenance: 'estimated', failure };
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
