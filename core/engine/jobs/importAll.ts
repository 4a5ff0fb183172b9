// One job, many files: paths as they were given, and of folders the transcripts in them. A file that fails is reported with
// the others; cancelled, the files that are done stay.

import { stat } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import type { Problem } from '../../model/problem.ts';
import type { FolderReport, ImportOutcome } from '../../protocol/types.ts';
import type { Library } from '../../store/index.ts';
import { countOf, grouped } from '../../util/counts.ts';
import type { Follower } from '../follow/follower.ts';
import { knownAs, walk } from '../follow/walk.ts';
import { type ImportSource, sourcesOf } from './eventFolder.ts';
import { fits, readingOf } from './mapped.ts';
import { type Rate, rateOf } from './rate.ts';
import { type ImportProgress, runImport } from './runImport.ts';

/** How far a job is; `progress` 0..1, null where the end is unknown. */
export interface JobProgress extends Rate {
  readonly progress: number | null;
  readonly message: string;
  readonly transcriptIds: readonly string[];
}

/** How an import job is watched and stopped, and who follows files in the same thread. */
export interface ImportAllOptions {
  readonly onProgress: (progress: JobProgress) => void;
  readonly signal: AbortSignal;
  readonly follower: Follower | null;
  /** Hash of a mapping of the library to read the files by; of folders those that no format knows, if it fits them. */
  readonly mapping?: string | undefined;
}

/** Imports files and folders; an outcome for each file that is a transcript or was given by name. */
export async function importAll(
  library: Library,
  paths: readonly string[],
  options: ImportAllOptions,
): Promise<{ readonly outcomes: readonly ImportOutcome[]; readonly folders: readonly FolderReport[] }> {
  const { sources, folders, byFormat } = await expand(library, paths, options);
  const sizes = await Promise.all(sources.map(sizeOf));
  const reporter = new FileReporter(
    sizes.reduce((sum, size) => sum + size, 0),
    sources.length,
    options.onProgress,
  );
  const outcomes: ImportOutcome[] = [];
  for (const [at, source] of sources.entries()) {
    const known = byFormat.has(source.path) ? { ...options, mapping: undefined } : options;
    const outcome = await importOrReport(library, source, known, (progress) => reporter.report(source.path, progress));
    outcomes.push(outcome);
    reporter.done(source.path, sizes[at]!, outcome);
    if (at % 20 === 19) await setImmediate();
  }
  return { outcomes: [...outcomes, ...folders.filter(({ transcripts }) => transcripts === 0).map(nothingIn)], folders };
}

/** A folder without transcripts is reported like a file that is not a transcript. */
function nothingIn({ folder, skipped, unreadable }: FolderReport): ImportOutcome {
  const looked = skipped === 1 ? 'the one file in it was' : `the ${grouped(skipped)} files in it were`;
  const [first] = unreadable;
  const none = first === undefined ? 'it holds no files' : 'nothing in it could be looked at';
  const left = first === undefined ? '' : ` ${first.text}`;
  const text = `There is no transcript in ${folder}: ${skipped === 0 ? none : `${looked} looked at`}.${left}`;
  const error: Problem = { code: 'import.no_transcripts', severity: 'error', text, where: { file: folder } };
  return { file: folder, transcripts: [], problems: [error], records: 0, ignored: 0, seconds: 0, error };
}

// A file that the program fails at is reported like one that cannot be read; a library that is full ends the job.
async function importOrReport(...given: Parameters<typeof importOne>): Promise<ImportOutcome> {
  const [, { path }, { signal }] = given;
  try {
    return await importOne(...given);
  } catch (thrown) {
    if (signal.aborted || isOfTheLibrary(thrown)) throw thrown;
    const text = `${path} could not be imported, which is a fault of this program: ${String(thrown)}.`;
    const error: Problem = { code: 'import.failed', severity: 'error', text, where: { file: path } };
    return { file: path, transcripts: [], problems: [error], records: 0, ignored: 0, seconds: 0, error };
  }
}

function isOfTheLibrary(thrown: unknown): boolean {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  return code.startsWith('SQLITE_') || code === 'ENOSPC';
}

async function importOne(
  library: Library,
  source: ImportSource,
  { signal, follower, mapping }: ImportAllOptions,
  onProgress: (progress: ImportProgress) => void,
): Promise<ImportOutcome> {
  // Of a file that is followed the reading is at hand.
  const isPlain = source.files === null && mapping === undefined;
  const followed = isPlain ? await follower?.transcriptsOf(source.path) : null;
  if (followed == null) return runImport(library, source, { signal, onProgress, mapping });
  const transcripts = followed.map((one) => ({ ...one, existed: true }));
  return { file: source.path, transcripts, problems: [], records: 0, ignored: 0, seconds: 0, error: null };
}

interface Expanded {
  readonly sources: readonly ImportSource[];
  readonly folders: readonly FolderReport[];
  /** Files of folders that a format knows: a mapping is not for them. */
  readonly byFormat: ReadonlySet<string>;
}

/** Puts the transcripts of folders in the place of the folders. */
async function expand(library: Library, paths: readonly string[], options: ImportAllOptions): Promise<Expanded> {
  const sources: ImportSource[] = [];
  const folders: FolderReport[] = [];
  const byFormat = new Set<string>();
  for (const source of await sourcesOf(paths)) {
    if (source.files !== null || !(await isFolder(source.path))) {
      sources.push(source);
      continue;
    }
    const { found, byMapping, report } = await lookThrough(library, source.path, options);
    folders.push(report);
    sources.push(...(await sourcesOf(found)), ...byMapping.map((path) => ({ path, files: null })));
    for (const path of found) byFormat.add(path);
  }
  return { sources, folders, byFormat };
}

async function lookThrough(library: Library, folder: string, { signal, onProgress, mapping }: ImportAllOptions) {
  const { files, unreadable } = await walk(folder, signal);
  const found: string[] = [];
  const byMapping: string[] = [];
  const reading = mapping === undefined ? null : readingOf(library, mapping);
  for (const [at, file] of files.entries()) {
    signal.throwIfAborted();
    const known = await knownAs(file);
    if (known !== 'transcript' && reading !== null && (await fits(reading, file.path))) byMapping.push(file.path);
    else if (known !== 'other') found.push(file.path);
    const message = `${folder}: looked at ${grouped(at + 1)} of ${countOf(files.length, 'file')}`;
    onProgress({ progress: null, message, bytesPerSecond: null, secondsLeft: null, transcriptIds: [] });
  }
  const transcripts = found.length + byMapping.length;
  const report = { folder, transcripts, skipped: files.length - transcripts, unreadable };
  return { found, byMapping, report };
}

/** The import itself reports what cannot be looked at. */
async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

/** For progress only: the import itself reports why a file cannot be read. */
async function sizeOf({ path, files }: ImportSource): Promise<number> {
  const sizes = (files ?? [path]).map((file) =>
    stat(file).then(
      (stats) => stats.size,
      () => 0,
    ),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** Ids sent with progress: of a folder of thousands the last ones are enough for whoever looks on. */
const IDS_REPORTED = 50;

/** Says how far the whole job is. */
class FileReporter {
  readonly #total: number;
  readonly #files: number;
  readonly #onProgress: (progress: JobProgress) => void;
  readonly #startedAt = performance.now();
  #ids: string[] = [];
  #before = 0;
  #filesDone = 0;

  constructor(total: number, files: number, onProgress: (progress: JobProgress) => void) {
    this.#total = total;
    this.#files = files;
    this.#onProgress = onProgress;
  }

  report(file: string, { bytes, transcriptIds }: Pick<ImportProgress, 'bytes' | 'transcriptIds'>): void {
    const done = this.#before + bytes;
    const rate = rateOf(done, this.#total, (performance.now() - this.#startedAt) / 1000);
    const progress = this.#total === 0 ? null : Math.min(1, done / this.#total);
    const place =
      this.#files === 1 ? '' : `${grouped(Math.min(this.#filesDone + 1, this.#files))} of ${grouped(this.#files)}: `;
    const ids = [...new Set([...this.#ids, ...transcriptIds])];
    this.#onProgress({ ...rate, progress, message: `${place}${file}`, transcriptIds: ids });
  }

  done(file: string, size: number, { transcripts }: ImportOutcome): void {
    this.#before += size;
    this.#filesDone++;
    const [first] = this.#ids;
    const ids = [...this.#ids, ...transcripts.map(({ id }) => id)];
    // The first stays: it is the one that whoever asked is shown.
    this.#ids = ids.length <= IDS_REPORTED || first === undefined ? ids : [first, ...ids.slice(1 - IDS_REPORTED)];
    this.report(file, { bytes: 0, transcriptIds: [] });
  }
}
