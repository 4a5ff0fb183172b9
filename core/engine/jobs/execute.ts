import { DamagedContentError, type Library, storeProblem } from '../../store/index.ts';
import { isTokenizerId } from '../../tokens/counters.ts';
import { countOf, grouped } from '../../util/counts.ts';
import type { Follower } from '../follow/follower.ts';
import { Waits } from '../threads/waits.ts';
import { importAll, type JobProgress } from './importAll.ts';
import { rateOf } from './rate.ts';
import { type IndexProgress, runIndex } from './runIndex.ts';
import { runTokens } from './runTokens.ts';
import { runUpkeep } from './runUpkeep.ts';
import type { JobEnd, JobRequest } from './types.ts';

export type { JobProgress } from './importAll.ts';

/** What the thread of a job has besides. */
export interface JobThread {
  readonly follower?: Follower | null;
  /** Those who wait for the engine in another thread; absent = nobody does. */
  readonly waits?: Waits;
}

/** Does one job over a library, in this thread. Never rejects: what goes wrong is the job's end. */
export async function executeJob(
  library: Library,
  request: JobRequest,
  onProgress: (progress: JobProgress) => void,
  signal: AbortSignal,
  { follower = null, waits = new Waits() }: JobThread = {},
): Promise<JobEnd> {
  try {
    switch (request.kind) {
      case 'import':
        return {
          state: 'done',
          ...(await importAll(library, request.paths, { onProgress, signal, follower, mapping: request.mapping })),
        };
      case 'tokens':
        return await countTokens(library, request.transcriptId, request.tokenizer, onProgress, signal);
      case 'index':
        return await indexText(library, onProgress, signal);
      case 'compact':
        signal.throwIfAborted();
        library.tables.storage.compact();
        return { state: 'done', outcomes: [] };
      case 'survey':
        return await lookThrough(library, request.except, { onProgress, signal, waits });
      case 'upkeep':
        await runUpkeep(library, signal);
        return { state: 'done', outcomes: [] };
    }
  } catch (error) {
    if (signal.aborted) return { state: 'cancelled' };
    const end = failedBy(error);
    if (end.error.code !== 'job.failed' || library.isWhole()) return end;
    return failedBy(new DamagedContentError('its pages do not fit together'));
  }
}

async function indexText(
  library: Library,
  onProgress: (progress: JobProgress) => void,
  signal: AbortSignal,
): Promise<JobEnd> {
  const report = ({ indexed, total }: IndexProgress) => {
    const progress = total === 0 ? 1 : indexed / total;
    const message = `${grouped(indexed)} of ${countOf(total, 'message')}`;
    onProgress({ progress, message, bytesPerSecond: null, secondsLeft: null, transcriptIds: [] });
  };
  await runIndex(library, report, signal);
  return { state: 'done', outcomes: [] };
}

interface Looking {
  readonly onProgress: (progress: JobProgress) => void;
  readonly signal: AbortSignal;
  readonly waits: Waits;
}

// Loaded when it is wanted: it brings the sessions with it, which no other job needs.
async function lookThrough(
  library: Library,
  except: readonly string[],
  { onProgress, signal, waits }: Looking,
): Promise<JobEnd> {
  // What it loads takes its time, too.
  await waits.calm(signal);
  const { runSurveys } = await import('../survey/runSurveys.ts');
  const report = ({ done, of }: { readonly done: number; readonly of: number }) => {
    const message = `${grouped(done)} of ${countOf(of, 'transcript')}`;
    onProgress({
      progress: of === 0 ? 1 : done / of,
      message,
      bytesPerSecond: null,
      secondsLeft: null,
      transcriptIds: [],
    });
  };
  await runSurveys(library, except, { onProgress: report, signal, waits });
  return { state: 'done', outcomes: [] };
}

async function countTokens(
  library: Library,
  transcriptId: string,
  tokenizer: string,
  onProgress: (progress: JobProgress) => void,
  signal: AbortSignal,
): Promise<JobEnd> {
  if (!isTokenizerId(tokenizer)) return failure('tokens.unknown_tokenizer', `There is no tokenizer "${tokenizer}".`);
  const startedAt = performance.now();
  const counted = await runTokens(library, transcriptId, tokenizer, {
    signal,
    onProgress: ({ messages, total }) => {
      const { secondsLeft } = rateOf(messages, total, (performance.now() - startedAt) / 1000);
      const message = `${grouped(messages)} of ${countOf(total, 'message')}`;
      const progress = total === 0 ? 1 : messages / total;
      onProgress({ progress, message, bytesPerSecond: null, secondsLeft, transcriptIds: [transcriptId] });
    },
  });
  if (counted === null) return failure('transcript.unknown', `The library has no transcript ${transcriptId}.`);
  return { state: 'done', outcomes: [] };
}

function failure(code: string, message: string): Extract<JobEnd, { state: 'failed' }> {
  return { state: 'failed', error: { code, message } };
}

/** SQLite's errors that are not the program's fault. */
const STORE_ERRORS: Readonly<Record<string, readonly [code: string, text: string]>> = {
  SQLITE_FULL: ['store.disk_full', 'The disk is full: nothing of this import was kept. Make room and import again.'],
  SQLITE_BUSY: ['store.busy', 'Another process kept the library locked for too long. Try again.'],
  SQLITE_READONLY: ['store.readonly', 'The library cannot be written to. Check the rights of its folder.'],
  SQLITE_CORRUPT: ['store.corrupt', 'The library file is damaged. Put it aside and import the transcripts again.'],
  ENOSPC: ['store.disk_full', 'The disk is full: nothing of this import was kept. Make room and import again.'],
};

/** The end of a job that threw. */
export function failedBy(error: unknown): Extract<JobEnd, { state: 'failed' }> {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  const known = Object.hasOwn(STORE_ERRORS, code) ? STORE_ERRORS[code] : undefined;
  if (known !== undefined) return failure(...known);
  const problem = storeProblem(error);
  if (problem !== null) return failure(problem.code, problem.text);
  return failure('job.failed', error instanceof Error ? (error.stack ?? error.message) : String(error));
}
