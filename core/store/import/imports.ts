import type { Buffer } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import type { Connection } from '../database.ts';
import type { UnfinishedImport } from '../types.ts';

/** A file about to be imported. `probe` is its bytes' SHA-256, or for large files a hash of size, head and tail. */
export interface FileIdentity {
  readonly path: string;
  readonly bytes: number;
  readonly mtimeMs: number;
  readonly probe: Buffer;
  /** SHA-256 of all bytes where it is known beforehand. */
  readonly sha256: Buffer | null;
  /** Hash of the mapping it is read by, which `probe` is made of too; null or absent = none, it has a format. */
  readonly mapping?: string | null;
}

/** A source as the library knows it. */
export interface SourceRow {
  readonly id: number;
  readonly uidBase: Buffer;
  readonly sha256: Buffer | null;
  /** 1 = transcripts of it were removed: an import brings them back. */
  readonly incomplete: number;
}

/** A path's content as it was last imported. */
export interface FileState {
  readonly source: number;
  readonly bytes: number;
  readonly mtimeMs: number;
  /** 1 = all of it was imported. */
  readonly complete: number;
}

interface ImportRow {
  readonly id: number;
  readonly source: number;
  readonly path: string;
  readonly owner: string;
  readonly startedAt: string;
  readonly bytesDone: number;
}

/** Tokens of the imports that run in this thread. */
const running = new Set<string>();

/** Sources, the paths they were seen at, and the marks of imports under way. */
export class Imports {
  readonly #statements: ReturnType<typeof importStatements>;

  constructor(db: Connection) {
    this.#statements = importStatements(db);
  }

  sourcesByProbe(probe: Buffer): readonly SourceRow[] {
    return this.#statements.byProbe.all(probe);
  }

  /** `uidBase` is what the public ids of its transcripts are made of. */
  insertSource(file: FileIdentity, uidBase: Buffer): number {
    return Number(
      this.#statements.insertSource.run(file.probe, uidBase, file.bytes, file.mapping ?? null).lastInsertRowid,
    );
  }

  /** All of a source's content was read; `withAll` = every transcript of it is in the library. */
  completeSource(source: number, sha256: Buffer, withAll: boolean): void {
    this.#statements.completeSource.run(sha256, withAll ? 0 : 1, source);
  }

  addFile(source: number, { path, mtimeMs }: Pick<FileIdentity, 'path' | 'mtimeMs'>): void {
    this.#statements.addFile.run(source, path, Math.trunc(mtimeMs), new Date().toISOString());
  }

  /** Marks an import as under way; the owner is this thread's name for it, never used twice (row ids may be). */
  start(source: number, path: string): string {
    const owner = `${process.pid}:${randomUUID()}`;
    running.add(owner);
    this.#statements.start.run(source, path, owner, new Date().toISOString());
    return owner;
  }

  /** Moves the mark; false if the mark is gone: somebody took the import for dead and removed it. */
  advance(owner: string, bytesDone: number): boolean {
    return this.#statements.advance.run(bytesDone, owner).changes === 1;
  }

  /** Removes a mark: the import is done, or what it left is. */
  finish(owner: string): void {
    this.#statements.finish.run(owner);
  }

  /** Forgets that this thread runs it; the mark, if still there, is then an unfinished import. */
  release(owner: string): void {
    running.delete(owner);
  }

  /** What is known of the content that was last imported from a path; `null if there is none. */
  fileState(path: string): FileState | null {
    return this.#statements.fileState.get(path) ?? null;
  }

  /** The same of what was read by this mapping, or (null) by its own format. */
  fileStateBy(path: string, mapping: string | null): FileState | null {
    return this.#statements.fileStateBy.get(path, mapping) ?? null;
  }

  /** Hash of the mapping that a path's content was last read by; null = by none. */
  mappingOf(path: string): string | null {
    return this.#statements.mappingOf.get(path) ?? null;
  }

  /** A source whose transcripts' ids are made of this. */
  byUidBase(uidBase: Buffer): number | null {
    return this.#statements.byUidBase.get(uidBase) ?? null;
  }

  source(id: number): SourceRow | null {
    return this.#statements.source.get(id) ?? null;
  }

  /** Size of a source's content. */
  bytesOf(source: number): number {
    return this.#statements.bytesOf.get(source) ?? 0;
  }

  /** A source has become longer, or another: what its content is known by now. `probe` null = as before. */
  renewSource(source: number, bytes: number, probe: Buffer | null): void {
    this.#statements.renewSource.run(bytes, probe, source);
  }

  /** Another owner takes over the mark of a dead one. */
  adopt(source: number, path: string): string {
    const mark = this.ofSource(source);
    if (mark !== null) this.finish(mark.owner);
    return this.start(source, path);
  }

  ofSource(source: number): ImportRow | null {
    return this.#statements.ofSource.get(source) ?? null;
  }

  ofOwner(owner: string): ImportRow | null {
    return this.#statements.ofOwner.get(owner) ?? null;
  }

  get(importId: number): ImportRow | null {
    return this.#statements.get.get(importId) ?? null;
  }

  /** Imports that began and whose process or thread is gone; see {@link isAlive} for other threads of this process. */
  unfinished(): readonly UnfinishedImport[] {
    return this.#statements.all
      .all()
      .filter((row) => !isAlive(row.owner))
      .map(({ id, source, path, startedAt, bytesDone }) => ({
        importId: id,
        path,
        startedAt,
        bytesDone,
        transcriptIds: this.#statements.uids.all(source),
      }));
  }
}

/**
 * Whether an import's owner still runs. Another thread of this process counts as gone: a process runs one job thread,
 * so a mark of another thread is one that crashed. An owner wrongly taken for dead notices at its next batch.
 */
export function isAlive(owner: string): boolean {
  const pid = Number.parseInt(owner, 10);
  if (pid === process.pid) return running.has(owner);
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives and belongs to somebody else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function importStatements(db: Connection) {
  const columns = 'id, source_id AS source, path, owner, started_at AS startedAt, bytes_done AS bytesDone';
  return {
    byProbe: db.prepare<[Buffer], SourceRow>(
      'SELECT id, uid_base AS uidBase, sha256, incomplete FROM sources WHERE probe = ? ORDER BY id',
    ),
    fileState: db.prepare<[string], FileState>(
      `SELECT s.id AS source, s.bytes, f.mtime_ms AS mtimeMs, s.sha256 IS NOT NULL AS complete
       FROM files f JOIN sources s ON s.id = f.source_id WHERE f.path = ? ORDER BY f.id DESC LIMIT 1`,
    ),
    fileStateBy: db.prepare<[string, string | null], FileState>(
      `SELECT s.id AS source, s.bytes, f.mtime_ms AS mtimeMs, s.sha256 IS NOT NULL AS complete
       FROM files f JOIN sources s ON s.id = f.source_id WHERE f.path = ? AND s.mapping IS ? ORDER BY f.id DESC LIMIT 1`,
    ),
    mappingOf: db
      .prepare<[string], string | null>(
        'SELECT s.mapping FROM files f JOIN sources s ON s.id = f.source_id WHERE f.path = ? ORDER BY f.id DESC LIMIT 1',
      )
      .pluck(),
    byUidBase: db.prepare<[Buffer], number>('SELECT id FROM sources WHERE uid_base = ?').pluck(),
    source: db.prepare<[number], SourceRow>(
      'SELECT id, uid_base AS uidBase, sha256, incomplete FROM sources WHERE id = ?',
    ),
    bytesOf: db.prepare<[number], number>('SELECT bytes FROM sources WHERE id = ?').pluck(),
    renewSource: db.prepare<[number, Buffer | null, number]>(
      'UPDATE sources SET bytes = ?, probe = coalesce(?, probe) WHERE id = ?',
    ),
    insertSource: db.prepare<[Buffer, Buffer, number, string | null]>(
      'INSERT INTO sources (probe, uid_base, bytes, mapping) VALUES (?, ?, ?, ?)',
    ),
    completeSource: db.prepare<[Buffer, number, number]>(
      'UPDATE sources SET sha256 = ?, incomplete = incomplete * ? WHERE id = ?',
    ),
    addFile: db.prepare<[number, string, number, string]>(
      `INSERT INTO files (source_id, path, mtime_ms, added_at) VALUES (?, ?, ?, ?)
       ON CONFLICT (source_id, path) DO UPDATE SET mtime_ms = excluded.mtime_ms`,
    ),
    start: db.prepare<[number, string, string, string]>(
      'INSERT INTO imports (source_id, path, owner, started_at) VALUES (?, ?, ?, ?)',
    ),
    advance: db.prepare<[number, string]>('UPDATE imports SET bytes_done = ? WHERE owner = ?'),
    finish: db.prepare<[string]>('DELETE FROM imports WHERE owner = ?'),
    ofSource: db.prepare<[number], ImportRow>(`SELECT ${columns} FROM imports WHERE source_id = ?`),
    ofOwner: db.prepare<[string], ImportRow>(`SELECT ${columns} FROM imports WHERE owner = ?`),
    get: db.prepare<[number], ImportRow>(`SELECT ${columns} FROM imports WHERE id = ?`),
    all: db.prepare<[], ImportRow>(`SELECT ${columns} FROM imports ORDER BY id`),
    uids: db
      .prepare<[number], string>(
        `SELECT uid FROM transcripts WHERE source_id = ? AND state = 'importing' AND removed = 0 ORDER BY id`,
      )
      .pluck(),
  };
}
