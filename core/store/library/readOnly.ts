// A library where nothing can be written. SQLite needs two files beside a library to read it (a log and shared memory):
// where they can be neither made nor found, the library is read alone, or a copy of it is.

import { copyFileSync, existsSync, mkdtempSync, rmSync, statfsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { countOf } from '../../util/counts.ts';
import { LIBRARY_FILE } from './privateFiles.ts';

/** A connection to read by, and how it is closed with all that was made for it. Whoever has it sets `query_only`. */
export interface ReadingConnection {
  readonly db: Database.Database;
  close(): void;
}

/** Opens a library's file for reading. Throws the first way's error if there is no way. */
export function openToRead(path: string): ReadingConnection {
  const ways = [plain, alone, copied];
  let first: unknown = null;
  for (const way of ways) {
    try {
      return way(path);
    } catch (error) {
      first ??= error;
      if (!isForWantOfWriting(error)) throw error;
    }
  }
  throw first;
}

/** Damage and locks are what they are, however the file is opened. */
function isForWantOfWriting(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return false;
  return /^(?:SQLITE_(?:CANTOPEN|READONLY|IOERR|FULL|PERM)|E[A-Z]+$)/.test(error.code);
}

/** Beside others: the shared memory is there, or can be made. */
function plain(path: string): ReadingConnection {
  return reading(new Database(path, { readonly: true, timeout: 5000 }), () => {});
}

/** A disk without room for the shared memory: while nobody else has the library, it needs none. */
function alone(path: string): ReadingConnection {
  return reading(new Database(path, { timeout: 5000, fileMustExist: true }), (db) => {
    db.pragma('locking_mode = EXCLUSIVE');
  });
}

/** A folder in which nothing can be made: the library and its log are copied into a private folder that can be written. */
function copied(path: string): ReadingConnection {
  const bytes = sizesOf(path);
  const { bavail, bsize } = statfsSync(tmpdir());
  if (bavail * bsize < bytes * 1.1) throw new NoRoomError(bytes);
  const dir = mkdtempSync(join(tmpdir(), 'parallax-reading-'));
  const remove = (): void => rmSync(dir, { recursive: true, force: true });
  try {
    const copy = join(dir, LIBRARY_FILE);
    for (const end of ['', '-wal']) if (existsSync(`${path}${end}`)) copyFileSync(`${path}${end}`, `${copy}${end}`);
    const { db } = reading(new Database(copy, { timeout: 5000 }), () => {});
    process.once('exit', remove);
    const close = (): void => {
      db.close();
      remove();
      process.removeListener('exit', remove);
    };
    return { db, close };
  } catch (error) {
    remove();
    throw error;
  }
}

/** There is no room for the copy that reading needs. */
export class NoRoomError extends Error {
  readonly code = 'ENOSPC';

  constructor(bytes: number) {
    super(`reading it needs a copy of ${countOf(bytes, 'byte')}, for which ${tmpdir()} has no room`);
  }
}

function sizesOf(path: string): number {
  const sizes = ['', '-wal'].map((end) => statSync(`${path}${end}`, { throwIfNoEntry: false })?.size ?? 0);
  return sizes.reduce((sum, size) => sum + size, 0);
}

function reading(db: Database.Database, prepare: (db: Database.Database) => void): ReadingConnection {
  try {
    prepare(db);
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
    return { db, close: () => db.close() };
  } catch (error) {
    db.close();
    throw error;
  }
}
