import { stat } from 'node:fs/promises';
import type { ImportOutcome } from '../../protocol/types.ts';
import type { Library } from '../../store/index.ts';
import { isTokenizerId } from '../../tokens/counters.ts';
import { type ImportSource, sourcesOf } from './eventFolder.ts';
import { type Rate, rateOf } from './rate.ts';
import { type ImportProgress, runImport } from './runImport.ts';
import { type IndexProgress, runIndex } from './runIndex.ts';
import { runTokens } from './runTokens.ts';
import { runUpkeep } from './runUpkeep.ts';
import type { JobEnd, JobRequest } from './types.ts';

/** How far a job is; `progress` 0..1, null where the end is unknown. */
export interface JobProgress extends Rate {
  readonly progress: number | null;
  readonly message: string;
  readonly transcriptIds: readonly string[];
}

/** Does one job over a library, in this thread. Never rejects: what goes wrong is the job's end. */
export async function executeJob(
  library: Library,
  request: JobRequest,
  onProgress: (progress: JobProgress) => void,
  signal: AbortSignal,
): Promise<JobEnd> {
  try {
    switch (request.kind) {
      case 'import':
        return { state: 'done', outcomes: await importAll(library, request.paths, onProgress, signal) };
      case 'tokens':
        return await countTokens(library, request.transcriptId, request.tokenizer, onProgress, signal);
      case 'index':
        return await indexText(library, onProgress, signal);
      case 'upkeep':
        await runUpkeep(library, signal);
        return { state: 'done', outcomes: [] };
    }
  } catch (error) {
    return signal.aborted ? { state: 'cancelled' } : failedBy(error);
  }
}

async function importAll(
  library: Library,
  paths: readonly string[],
  onProgress: (progress: JobProgress) => void,
  signal: AbortSignal,
): Promise<readonly ImportOutcome[]> {
  const sources = await sourcesOf(paths);
  const sizes = await Promise.all(sources.map(sizeOf));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const startedAt = performance.now();
  const outcomes: ImportOutcome[] = [];
  const ids: string[] = [];
  let before = 0;
  const tell = (file: string, bytes: number, transcriptIds: readonly string[]) => {
    const done = before + bytes;
    const rate = rateOf(done, total, (performance.now() - startedAt) / 1000);
    const progress = total === 0 ? null : Math.min(1, done / total);
    onProgress({ ...rate, progress, message: file, transcriptIds: [...new Set([...ids, ...transcriptIds])] });
  };
  for (const [at, source] of sources.entries()) {
    const { path } = source;
    const onFile = ({ bytes, transcriptIds }: ImportProgress) => tell(path, bytes, transcriptIds);
    const outcome = await runImport(library, source, { signal, onProgress: onFile });
    outcomes.push(outcome);
    before += sizes[at]!;
    ids.push(...outcome.transcripts.map(({ id }) => id));
    tell(path, 0, []);
  }
  return outcomes;
}

/** For progress only: why a file cannot be read is told by its import. */
async function sizeOf({ path, files }: ImportSource): Promise<number> {
  const sizes = (files ?? [path]).map((file) =>
    stat(file).then(
      (stats) => stats.size,
      () => 0,
    ),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

async function indexText(
  library: Library,
  onProgress: (progress: JobProgress) => void,
  signal: AbortSignal,
): Promise<JobEnd> {
  const tell = ({ indexed, total }: IndexProgress) => {
    const progress = total === 0 ? 1 : indexed / total;
    const message = `${indexed} of ${total} messages`;
    onProgress({ progress, message, bytesPerSecond: null, secondsLeft: null, transcriptIds: [] });
  };
  await runIndex(library, tell, signal);
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
      const message = `${messages} of ${total} messages`;
      const progress = total === 0 ? 1 : messages / total;
      onProgress({ progress, message, bytesPerSecond: null, secondsLeft, transcriptIds: [transcriptId] });
    },
  });
  if (counted === null) return failure('transcript.unknown', `The library has no transcript ${transcriptId}.`);
  return { state: 'done', outcomes: [] };
}

function failure(code: string, message: string): JobEnd {
  return { state: 'failed', error: { code, message } };
}

/** SQLite's errors that are no fault of the program. */
const STORE_ERRORS: Readonly<Record<string, readonly [code: string, text: string]>> = {
  SQLITE_FULL: ['store.disk_full', 'The disk is full: nothing of this import was kept. Make room and import again.'],
  SQLITE_BUSY: ['store.busy', 'Another process kept the library locked for too long. Try again.'],
  SQLITE_READONLY: ['store.readonly', 'The library cannot be written to. Check the rights of its folder.'],
  SQLITE_CORRUPT: ['store.corrupt', 'The library file is damaged. Put it aside and import the transcripts anew.'],
  ENOSPC: ['store.disk_full', 'The disk is full: nothing of this import was kept. Make room and import again.'],
};

/** The end of a job that threw. */
export function failedBy(error: unknown): JobEnd {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  const known = Object.hasOwn(STORE_ERRORS, code) ? STORE_ERRORS[code] : undefined;
  if (known !== undefined) return failure(...known);
  return failure('job.failed', error instanceof Error ? (error.stack ?? error.message) : String(error));
}
