import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Problem } from '../model/problem.ts';
import { err, ok, type Result } from '../util/result.ts';
import { MIGRATIONS, SCHEMA_VERSION } from './migrations/index.ts';
import { LIBRARY_FILE, makePrivateLibrary } from './privateFiles.ts';
import type { OpenOptions } from './types.ts';

/** A connection. Only core/store knows that it is better-sqlite3. */
export type Connection = Database.Database;

/** Opens the library's file in `dir`, made and migrated as needed. A newer one is refused before anything is written. */
export function openDatabase(dir: string, options: OpenOptions): Result<Connection, Problem> {
  const path = join(dir, LIBRARY_FILE);
  const readonly = options.readonly === true;
  if (readonly && !existsSync(path)) return err(problem('store.missing', path, `There is no library in ${dir}.`));
  let db: Connection | null = null;
  try {
    if (!readonly) makePrivateLibrary(dir);
    db = new Database(path, { readonly, timeout: 5000 });
    const refused = prepareConnection(db, path, readonly);
    if (refused === null) return ok(db);
    db.close();
    return err(refused);
  } catch (error) {
    db?.close();
    if (!(error instanceof Error)) throw error;
    return err(problem('store.unopenable', path, `The library could not be opened: ${error.message}`));
  }
}

function prepareConnection(db: Connection, path: string, readonly: boolean): Problem | null {
  const version = versionOf(db);
  if (version > SCHEMA_VERSION) {
    const text = `This library was written by a newer version of the program (schema ${version}, this one knows ${SCHEMA_VERSION}). It was left untouched: update the program, or use another library folder.`;
    return problem('store.newer_version', path, text);
  }
  if (readonly && version < SCHEMA_VERSION) {
    const text = `This library is of an older version (schema ${version}, this program uses ${SCHEMA_VERSION}); open it once with the right to write.`;
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
  return null;
}

function versionOf(db: Connection): number {
  const version = db.pragma('user_version', { simple: true });
  if (typeof version !== 'number') throw new Error('user_version is no number');
  return version;
}

/** Takes the write lock first: of several processes that open an old library at once, one migrates. */
function migrate(db: Connection): void {
  if (versionOf(db) === SCHEMA_VERSION) return;
  const run = db.transaction(() => {
    for (let version = versionOf(db); version < SCHEMA_VERSION; version++) {
      db.exec(MIGRATIONS[version]!);
      db.pragma(`user_version = ${version + 1}`);
    }
  });
  run.immediate();
}

function problem(code: string, file: string, text: string): Problem {
  return { code, severity: 'error', text, where: { file } };
}
