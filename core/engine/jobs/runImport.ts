import type { Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import type { Problem } from '../../model/problem.ts';
import type { ImportOutcome } from '../../protocol/types.ts';
import { ImportLostError, type ImportWriter, type Library } from '../../store/index.ts';
import { LargeFileError, OddFileError } from '../files/regularFile.ts';
import { type ImportSource, openSource } from './eventFolder.ts';
import type { Feed, FeedWatch } from './feed.ts';
import { FileChangedError } from './fileIdentity.ts';
import { type MappedReading, readingFor, readingForMisfit, readingOf } from './mapped.ts';
import { asRead, type OpenedFeed, type OpenFile, openFeed } from './openFeed.ts';
import { type Rate, rateOf } from './rate.ts';

/** How far an import is. */
export interface ImportProgress extends Rate {
  readonly bytes: number;
  readonly total: number;
  /** Transcripts that can be opened. */
  readonly transcriptIds: readonly string[];
}

/** How a job is watched and stopped. */
export interface ImportOptions {
  /** Hash of the mapping to read it by; absent = its format, or if it has none, a mapping of the library. */
  readonly mapping?: string | undefined;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ImportProgress) => void;
}

/** One import on its way. */
interface Task {
  readonly library: Library;
  readonly path: string;
  readonly startedAt: number;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ImportProgress) => void;
}

/**
 * Imports one file (or files joined to one) into the library. What is wrong with it is in the outcome (`error` if there
 * is not a transcript in it); a file known already gives the transcripts it gave then. Throws the signal's reason when
 * aborted, and what the disk or the database throws; then nothing of the import is left.
 */
export async function runImport(
  library: Library,
  source: string | ImportSource,
  options: ImportOptions = {},
): Promise<ImportOutcome> {
  const { path, files } = typeof source === 'string' ? { path: source, files: null } : source;
  const { signal = new AbortController().signal, onProgress = () => {} } = options;
  const task: Task = { library, path, startedAt: performance.now(), signal, onProgress };
  signal.throwIfAborted();
  try {
    await using file = await openSource({ path, files });
    const stats = await file.stat();
    const open = { path, file, stats };
    if (options.mapping === undefined) return await importByFormat(task, open);
    const reading = readingOf(library, options.mapping);
    if (reading === null)
      return failed(task, problem(path, 'mapping.unknown', 'The library does not have this mapping.'));
    return await importFile(task, { ...open, reading });
  } catch (error) {
    const problem = expectedProblem(path, error);
    if (problem === null) throw error;
    return failed(task, problem);
  }
}

// A file of unknown or mostly unreadable format is read by a mapping if the library has one for it; a problem says so.
async function importByFormat(task: Task, open: OpenFile): Promise<ImportOutcome> {
  const better = await readingForMisfit(task.library, task.path, open.file);
  if (better !== null) return importByMapping(task, open, better, 'The format that knows this file reads little of it');
  const byFormat = await importFile(task, { ...open, reading: null });
  if (byFormat.error?.code !== 'import.not_recognised') return byFormat;
  const reading = await readingFor(task.library, task.path, open.file);
  return reading === null ? byFormat : importByMapping(task, open, reading, 'No format knows this file');
}

async function importByMapping(
  task: Task,
  open: OpenFile,
  reading: MappedReading,
  why: string,
): Promise<ImportOutcome> {
  const byMapping = await importFile(task, { ...open, reading });
  const called =
    reading.name === null ? 'the mapping it was read by before' : `the mapping "${reading.name}", which fits it`;
  const text = `${why}; it was read by ${called}.`;
  const note: Problem = { code: 'import.mapped', severity: 'info', text, where: { file: task.path } };
  return { ...byMapping, problems: [note, ...byMapping.problems] };
}

async function importFile(task: Task, open: OpenFile): Promise<ImportOutcome> {
  const { library, path, signal } = task;
  const { stats } = open;
  const watch: FeedWatch = { signal, onBatch: (bytes) => report(task, [], bytes, stats.size) };
  const opened = await openFeed(library, open, watch);
  switch (opened.kind) {
    case 'existing':
      return outcome(task, { transcripts: opened.transcripts });
    case 'busy':
      return failed(task, problem(path, 'import.busy', `${path} is being imported by another process just now.`));
    case 'renewed':
      return finished(task, open, opened.feed, null);
    case 'feed':
      return readIn(task, open, opened);
  }
}

async function readIn(
  task: Task,
  open: OpenFile,
  { feed, note, identity }: Extract<OpenedFeed, { kind: 'feed' }>,
): Promise<ImportOutcome> {
  const { file, stats } = open;
  try {
    const onBatch = (bytes: number) => report(task, feed.transcripts, bytes, stats.size);
    await feed.read(file, stats.size, { signal: task.signal, onBatch });
    feed.end();
    if (feed.transcripts.length === 0) {
      const { problems } = feed;
      feed.writer.abandon();
      return failed(task, problems.find(({ severity }) => severity === 'error') ?? nothingFound(task.path), problems);
    }
    await checkUnchanged(file, stats);
    feed.finish(asRead(open, identity.probe));
    report(task, feed.transcripts, stats.size, stats.size);
    return finished(task, open, feed, note);
  } catch (error) {
    abandonAfter(error, feed.writer);
    throw error;
  }
}

function finished(task: Task, { stats }: OpenFile, feed: Feed, note: Problem | null): ImportOutcome {
  if (!task.signal.aborted) report(task, feed.transcripts, stats.size, stats.size);
  const { records, ignored } = feed.counts;
  const problems = note === null ? feed.problems : [note, ...feed.problems];
  return outcome(task, { transcripts: feed.transcripts, problems, records, ignored });
}

/** The first error is the one to report; a disk that is full may refuse the clean-up too, which is then done later. */
function abandonAfter(error: unknown, writer: ImportWriter): void {
  try {
    writer.abandon();
  } catch (second) {
    if (error instanceof Error && error.cause === undefined) error.cause = second;
  }
}

function report(task: Task, transcripts: readonly { readonly id: string }[], bytes: number, total: number): void {
  const transcriptIds = transcripts.map(({ id }) => id);
  task.onProgress({ bytes, total, transcriptIds, ...rateOf(bytes, total, secondsSince(task)) });
}

/** A file that grew keeps its first bytes; one that was rewritten in between would be half old, half new. */
async function checkUnchanged(file: FileHandle, before: Stats): Promise<void> {
  const now = await file.stat();
  if (now.size === before.size && now.mtimeMs !== before.mtimeMs) {
    throw new FileChangedError('the file was rewritten while it was read');
  }
}

function secondsSince({ startedAt }: Task): number {
  return (performance.now() - startedAt) / 1000;
}

function outcome(task: Task, found: Partial<ImportOutcome>): ImportOutcome {
  const nothing = { transcripts: [], problems: [], records: 0, ignored: 0, error: null };
  return { ...nothing, ...found, file: task.path, seconds: secondsSince(task) };
}

function failed(task: Task, error: Problem, problems: readonly Problem[] = [error]): ImportOutcome {
  return outcome(task, { error: { ...error, where: { file: task.path, ...error.where } }, problems });
}

function problem(file: string, code: string, text: string): Problem {
  return { code, severity: 'error', text, where: { file } };
}

function nothingFound(path: string): Problem {
  return problem(path, 'import.empty', `There is no transcript in ${path}.`);
}

function unreadable(path: string, why: string, remedy: string): Problem {
  return problem(path, 'import.unreadable', `${path} could not be read: ${why}. ${remedy}`);
}

const READ_ERRORS: Readonly<Record<string, readonly [why: string, remedy: string]>> = {
  ENOENT: ['there is no such file', 'Check the path.'],
  ENOTDIR: ['a part of the path is not a folder', 'Check the path.'],
  EISDIR: ['it is a folder', 'Give the files in it one by one.'],
  EACCES: ['permission was denied', 'Grant the right to read it.'],
  EPERM: ['permission was denied', 'Grant the right to read it.'],
  EIO: ['the disk reported an error', 'Check the disk.'],
  ELOOP: ['its links lead in a circle', 'Check the path.'],
  ENAMETOOLONG: ['the path is too long', 'Check the path.'],
  EMFILE: ['too many files are open', 'Close some and try again.'],
};

/** What a file may do to an import; null for anything else. */
function expectedProblem(path: string, error: unknown): Problem | null {
  if (error instanceof FileChangedError) {
    return problem(path, 'import.changed', `${path}: ${error.message}. Nothing was imported; import it again.`);
  }
  if (error instanceof ImportLostError) {
    return problem(path, 'import.taken_over', `${path}: another process took over this import.`);
  }
  if (error instanceof OddFileError && error.code === 'ENOTREG') {
    return unreadable(path, error.message, 'Write what it gives to a file, and import that.');
  }
  if (error instanceof LargeFileError) {
    return problem(
      path,
      'import.too_large',
      `${path}: one of its events, or all together, cannot be joined: ${error.message}.`,
    );
  }
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null;
  const known = READ_ERRORS[error.code];
  return known === undefined ? null : unreadable(path, ...known);
}
