import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Problem } from '../model/problem.ts';
import { err, ok, type Result } from '../util/result.ts';
import { compileWhenRun } from './lazyStatements.ts';
import { fileState, whyUnwritable } from './library/fileState.ts';
import { LIBRARY_FILE, makePrivateLibrary } from './library/privateFiles.ts';
import { NoRoomError, openToRead, type ReadingConnection } from './library/readOnly.ts';
import { storeProblem } from './library/storeProblem.ts';
import { MIGRATIONS, SCHEMA_VERSION } from './migrations/index.ts';
import type { OpenOptions } from './types.ts';

/** A connection. Only core/store knows that it is better-sqlite3. */
export type Connection = Database.Database;

/** A library's file, open. */
export interface OpenDatabase {
  readonly db: Connection;
  /** Why nothing can be written to it; null = it can be. */
  readonly unwritable: Problem | null;
  close(): void;
}

/**
 * Opens the library's file in `dir`, made and migrated as needed. Where nothing can be written (a read-only disk, no
 * right, no room) it is opened for reading. A newer one is refused before anything is written.
 */
export function openDatabase(dir: string, options: OpenOptions): Result<OpenDatabase, Problem> {
  const path = join(dir, LIBRARY_FILE);
  try {
    const state = fileState(path);
    if (state.kind === 'refused') return err(state.problem);
    if (options.readonly === true) {
      if (state.kind === 'missing') return err(problem('store.missing', path, `There is no library in ${dir}.`));
      return opened(path, openToRead(path), ONLY_READ);
    }
    const unwritable = state.kind === 'there' ? whyUnwritable(dir, path) : null;
    if (unwritable !== null) return opened(path, openToRead(path), unwritable);
    return openToWrite(dir, path, state.kind === 'there');
  } catch (error) {
    return err(unopenable(path, error));
  }
}

const ONLY_READ: Problem = { code: 'store.readonly', severity: 'info', text: 'The library was opened for reading.' };

function openToWrite(dir: string, path: string, isThere: boolean): Result<OpenDatabase, Problem> {
  let db: Connection | null = null;
  try {
    makePrivateLibrary(dir);
    db = new Database(path, { timeout: 5000 });
    const { close } = db;
    return opened(path, { db, close: close.bind(db) }, null);
  } catch (error) {
    db?.close();
    if (!isThere || !wantsRoom(error)) throw error;
    const text = `The disk of ${dir} is full: the library can only be read.`;
    const full: Problem = { code: 'store.disk_full', severity: 'warning', text, where: { file: path } };
    return opened(path, openToRead(path), full);
  }
}

/** What a full disk does to SQLite, which makes a log and shared memory beside the library. */
function wantsRoom(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^(?:SQLITE_FULL|SQLITE_IOERR_(?:SHM|WRITE|TRUNCATE|FSYNC)|ENOSPC)/.test(code);
}

function opened(
  path: string,
  connection: ReadingConnection,
  unwritable: Problem | null,
): Result<OpenDatabase, Problem> {
  try {
    const refused = prepareConnection(connection.db, path, unwritable);
    if (refused === null) return ok({ ...connection, unwritable });
    connection.close();
    return err(refused);
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Why a library could not be opened. Throws what is not of its file or disk. */
export function unopenable(path: string, error: unknown): Problem {
  if (!(error instanceof Error)) throw error;
  if (error instanceof NoRoomError) {
    return problem('store.disk_full', path, `The library can only be read, and ${error.message}. Make room there.`);
  }
  const known = storeProblem(error);
  const code = 'code' in error ? ` (${String(error.code)})` : '';
  if (known !== null) return problem(known.code, path, `${path}: ${known.text}`);
  return problem('store.unopenable', path, `${path} cannot be opened: ${error.message}${code}`);
}

function prepareConnection(db: Connection, path: string, unwritable: Problem | null): Problem | null {
  const readonly = unwritable !== null;
  const version = versionOf(db);
  if (version < 0 || (version === 0 && hasTables(db))) {
    const text = `${path} is a database, but not a library of Parallax. It was left untouched: use another library folder.`;
    return problem('store.not_a_library', path, text);
  }
  if (version > SCHEMA_VERSION) {
    const text = `This library was written by a newer version of the program (schema ${version}, this one knows ${SCHEMA_VERSION}). It was left untouched: update the program, or use another library folder.`;
    return problem('store.newer_version', path, text);
  }
  if (readonly && version < SCHEMA_VERSION) {
    const text = `This library is of an older version (schema ${version}, this program uses ${SCHEMA_VERSION}); open it once with the right to write. ${unwritable.text}`;
    return problem('store.older_version', path, text);
  }
  if (!readonly) {
    // Texts of some kilobytes are most of a library: larger pages hold more of them whole. Only a new file takes it.
    db.pragma('page_size = 8192');
    db.pragma('journal_mode = WAL');
  }
  db.pragma('synchronous = NORMAL');
  db.pragma('foreign_keys = ON');
  // Modest on purpose: the engine has to stay below 350 MB with a 25 MB session open. Mapped pages would count too,
  // and reading through the cache was measured as fast.
  db.pragma('cache_size = -16000');
  db.pragma('mmap_size = 0');
  db.pragma('wal_autocheckpoint = 2000');
  db.pragma('journal_size_limit = 67108864');
  if (!readonly) migrate(db);
  compileWhenRun(db);
  return null;
}

function versionOf(db: Connection): number {
  const version = db.pragma('user_version', { simple: true });
  if (typeof version !== 'number') throw new Error('user_version is not a number');
  return version;
}

function hasTables(db: Connection): boolean {
  return db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() !== undefined;
}

/** Runs `work` as one transaction that takes the write lock before it reads: what it has read nobody changes under it. */
export function asOneWrite<T>(db: Connection, work: () => T): T {
  return db.transaction(work).immediate();
}

/** Takes the write lock first: of several processes that open an old library at once, one migrates. */
function migrate(db: Connection): void {
  if (versionOf(db) === SCHEMA_VERSION) return;
  asOneWrite(db, () => {
    for (let version = versionOf(db); version < SCHEMA_VERSION; version++) {
      db.exec(MIGRATIONS[version]!);
      db.pragma(`user_version = ${version + 1}`);
    }
  });
}

function problem(code: string, file: string, text: string): Problem {
  return { code, severity: 'error', text, where: { file } };
}
