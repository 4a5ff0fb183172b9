import { access, constants } from 'node:fs/promises';
import type { Library, UnfinishedImport } from '../../store/index.ts';
import type { JobRunner } from './types.ts';

/**
 * Takes up the imports that a dead process or thread left unfinished: each is imported again, which replaces what it
 * left, or, if its file is gone or another by now, marked as failed with its rows kept. Call when no import of this
 * process runs: at start, and after a job thread crashed. Settles when all are ended; once the signal is aborted the
 * library is not touched any more.
 */
export async function resumeUnfinished(
  library: Library,
  jobs: JobRunner,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  await Promise.all(library.unfinished().map((unfinished) => resumeOne(library, jobs, unfinished, signal)));
}

async function resumeOne(
  library: Library,
  jobs: JobRunner,
  { importId, path }: UnfinishedImport,
  signal: AbortSignal,
): Promise<void> {
  const readable = await access(path, constants.R_OK).then(
    () => true,
    () => false,
  );
  if (signal.aborted) return;
  if (readable) {
    const end = await jobs.end(jobs.start({ kind: 'import', paths: [path] }));
    if (end.state === 'cancelled' || signal.aborted) return;
  }
  if (!library.unfinished().some((other) => other.importId === importId)) return;
  const why = readable ? 'the file has changed since' : 'the file can no longer be read';
  const text = `The import of ${path} was interrupted and could not be finished: ${why}. What it brought is kept.`;
  library.failUnfinished(importId, { code: 'import.interrupted', severity: 'error', text, where: { file: path } });
}
