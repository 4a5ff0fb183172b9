// What takes how much room. SQLite's own table of pages (dbstat) would read the whole file; so the large groups are
// measured by the lengths of what they hold, which SQLite knows without reading it, and the rest is what is left over.

import { statSync } from 'node:fs';
import type { Connection } from '../database.ts';

/** What a part of the library holds. Unit of `bytes`: bytes of content, without the database's own overhead. */
export interface StorageGroup {
  readonly name: 'messages' | 'records' | 'assets' | 'facts' | 'tokens' | 'index' | 'other';
  readonly bytes: number;
  readonly rows: number;
}

/** Room taken. Unit: bytes. */
export interface StorageReport {
  /** Database, write-ahead log and index together, as they lie on disk. */
  readonly fileBytes: number;
  readonly walBytes: number;
  /** Free pages inside the file: compacting gives them back. */
  readonly freeBytes: number;
  /** Removed transcripts whose rows are still there: about their size. */
  readonly removedBytes: number;
  readonly groups: readonly StorageGroup[];
}

/** Measures the library's file. */
export class Storage {
  readonly #db: Connection;

  constructor(db: Connection) {
    this.#db = db;
  }

  /** Reads lengths of all contents: some 0.2 s per GB. */
  report(): StorageReport {
    const page = this.#pragma('page_size');
    const fileBytes = this.#pragma('page_count') * page;
    const freeBytes = this.#pragma('freelist_count') * page;
    const named = GROUPS.map(({ name, sql }) => ({ name, ...this.#sum(sql) }));
    const known = named.reduce((sum, { bytes }) => sum + bytes, 0);
    const rest = Math.max(0, fileBytes - freeBytes - known);
    const walBytes = sizeOf(`${this.#db.name}-wal`);
    const removed = this.#sum(
      `SELECT coalesce(sum(bytes), 0) AS bytes, count(*) AS rows FROM sources s WHERE NOT EXISTS (
       SELECT 1 FROM transcripts t WHERE t.source_id = s.id AND t.removed = 0)`,
    );
    return {
      fileBytes: fileBytes + walBytes,
      walBytes,
      freeBytes,
      removedBytes: removed.bytes,
      groups: [...named, { name: 'other', bytes: rest, rows: 0 }],
    };
  }

  /** Gives free pages back to the disk: writes the file again. Nobody can write meanwhile; needs as much free disk. */
  compact(): void {
    this.#db.exec('VACUUM');
    this.#db.pragma('wal_checkpoint(TRUNCATE)');
  }

  #pragma(name: string): number {
    return Number(this.#db.pragma(name, { simple: true }));
  }

  #sum(sql: string): { readonly bytes: number; readonly rows: number } {
    return this.#db.prepare<[], { readonly bytes: number; readonly rows: number }>(sql).get() ?? { bytes: 0, rows: 0 };
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

const lengths = (table: string, ...columns: readonly string[]) =>
  `SELECT coalesce(sum(${columns.map((column) => `coalesce(octet_length(${column}), 0)`).join(' + ')}), 0) AS bytes,
   count(*) AS rows FROM ${table}`;

const GROUPS: readonly { readonly name: StorageGroup['name']; readonly sql: string }[] = [
  { name: 'messages', sql: lengths('contents', 'text') },
  { name: 'records', sql: lengths('records', 'text', 'bytes') },
  { name: 'assets', sql: 'SELECT coalesce(sum(size), 0) AS bytes, count(*) AS rows FROM assets' },
  { name: 'facts', sql: lengths('message_pages', 'facts', 'meta', 'origins', 'part_counts') },
  { name: 'tokens', sql: lengths('token_counts', 'counts') },
  { name: 'index', sql: lengths('search_data', 'block') },
];
