// Removing is quick for whoever asks: the transcript vanishes from all lists at once, its rows are deleted later, a
// slice a transaction. What is left to do is read from the tables, so a removal goes on where a dead process left it.

import { Buffer } from 'node:buffer';
import type { Assets } from './assets.ts';
import type { Connection } from './database.ts';
import type { TranscriptIds } from './transcripts.ts';

const RECORDS_AT_ONCE = 500;
const ROWS_AT_ONCE = 2_000;
const PAGES_AT_ONCE = 20;

interface Marked extends TranscriptIds {
  /** 1 = no transcript of its source is left. */
  readonly dead: number;
}

/** Transcripts marked as removed, and the deletion of what only they used. */
export class Removal {
  readonly #db: Connection;
  readonly #assets: Assets;
  readonly #statements: ReturnType<typeof removalStatements>;

  constructor(db: Connection, assets: Assets) {
    this.#db = db;
    this.#assets = assets;
    this.#statements = removalStatements(db);
  }

  /**
   * Takes a transcript out of everything that lists or finds transcripts; its id and its file can be used anew. Of a
   * file with other transcripts the records stay.
   */
  mark({ id, source }: TranscriptIds): void {
    const run = this.#db.transaction(() => {
      this.#statements.mark.run(id);
      this.#statements.markIncomplete.run(source);
      this.dropSource(source);
    });
    run.immediate();
  }

  /** Marks the stand-ins that an import which ended early left (see ImportWriter). */
  markHidden(source: number): void {
    this.#statements.markHidden.run(source);
  }

  /** Gives up a source without transcripts: deleted, or no longer found if removed ones are still to be deleted. */
  dropSource(source: number): void {
    const { live, all } = this.#statements.countOf.get(source) ?? { live: 0, all: 0 };
    if (live > 0) return;
    if (all === 0) this.#statements.deleteSource.run(source);
    else this.#statements.hideSource.run(Buffer.from(`removed ${source}`), source);
  }

  /** Whether anything is to be deleted. */
  any(): boolean {
    return this.#statements.next.get() !== undefined;
  }

  /** Deletes a slice; false if nothing is left. */
  step(): boolean {
    if (!this.any()) return false;
    const run = this.#db.transaction(() => {
      const next = this.#statements.next.get();
      if (next !== undefined) this.#delete(next);
    });
    run.immediate();
    return true;
  }

  /** Deletes what is marked of one source, in one go: for what an import leaves that failed. */
  finish(source: number): void {
    for (let next = this.#nextOf(source); next !== undefined; next = this.#nextOf(source)) this.#delete(next);
  }

  #nextOf(source: number): Marked | undefined {
    return this.#statements.nextOf.get(source);
  }

  #delete(next: Marked): void {
    const { id, source, dead } = next;
    const { details, records, fillers, retire, deleteTranscript } = this.#statements;
    // Records first: what they share with messages is gone with the messages.
    if (dead === 1 && records.run(source, source).changes > 0) return;
    if (dead === 1 && fillers.run(source, source).changes > 0) return;
    if (details.some((statement) => statement.run(id, id).changes > 0)) return;
    if (dead === 0) {
      retire.run(id);
      return;
    }
    if (this.#deleteMessages(id)) return;
    deleteTranscript.run(id);
    this.dropSource(source);
    this.#assets.sweep();
  }

  #deleteMessages(id: number): boolean {
    const contents = this.#statements.messages.all(id);
    if (contents.length === 0) return false;
    this.#statements.deleteMessages.run(id, id);
    for (const content of new Set(contents)) this.#statements.deleteContent.run(content);
    return true;
  }
}

/** Deletes the first rows of a transcript in a table whose key within it is `key`. Parameters: the id, twice. */
function slice(db: Connection, table: string, owner: string, key: string, limit: number) {
  return db.prepare<[number, number]>(
    `DELETE FROM ${table} WHERE ${owner} = ? AND ${key} IN
     (SELECT ${key} FROM ${table} WHERE ${owner} = ? ORDER BY ${key} LIMIT ${limit})`,
  );
}

function removalStatements(db: Connection) {
  const others = 'SELECT 1 FROM transcripts o WHERE o.source_id = t.source_id AND o.removed = 0';
  const marked = `SELECT t.id, t.source_id AS source, NOT EXISTS (${others}) AS dead FROM transcripts t
    WHERE (t.removed = 1 OR (t.removed = 2 AND NOT EXISTS (${others})))`;
  const ofTranscript = (table: string, key: string, limit = ROWS_AT_ONCE) =>
    slice(db, table, 'transcript_id', key, limit);
  return {
    // The names are unique in their tables: the same file may be imported again before the rows are gone.
    mark: db.prepare<[number]>(
      `UPDATE transcripts SET removed = 1, uid = uid || ' removed ' || id, key = key || ' removed ' || id WHERE id = ?`,
    ),
    markHidden: db.prepare<[number]>('UPDATE transcripts SET removed = 1 WHERE source_id = ? AND removed = 3'),
    markIncomplete: db.prepare<[number]>('UPDATE sources SET incomplete = 1 WHERE id = ?'),
    countOf: db.prepare<[number], { live: number; all: number }>(
      'SELECT count(*) FILTER (WHERE removed = 0) AS live, count(*) AS "all" FROM transcripts WHERE source_id = ?',
    ),
    deleteSource: db.prepare<[number]>('DELETE FROM sources WHERE id = ?'),
    hideSource: db.prepare<[Buffer, number]>('UPDATE sources SET probe = ? WHERE id = ?'),
    next: db.prepare<[], Marked>(`${marked} AND t.removed > 0 ORDER BY t.id LIMIT 1`),
    nextOf: db.prepare<[number], Marked>(`${marked} AND t.removed > 0 AND t.source_id = ? ORDER BY t.id LIMIT 1`),
    records: slice(db, 'records', 'source_id', 'byte_start', RECORDS_AT_ONCE),
    fillers: slice(db, 'fillers', 'source_id', 'byte_start', ROWS_AT_ONCE),
    details: [
      ofTranscript('events', 'seq'),
      ofTranscript('compactions', 'seq'),
      ofTranscript('spawns', 'seq'),
      ofTranscript('problems', 'id'),
      ofTranscript('token_pages', 'first', PAGES_AT_ONCE),
      ofTranscript('token_totals', 'tokenizer'),
      ofTranscript('message_pages', 'id', PAGES_AT_ONCE),
    ],
    retire: db.prepare<[number]>('UPDATE transcripts SET removed = 2 WHERE id = ?'),
    messages: db
      .prepare<[number], number>(
        `SELECT content_id FROM messages WHERE transcript_id = ? ORDER BY idx LIMIT ${RECORDS_AT_ONCE}`,
      )
      .pluck(),
    deleteMessages: slice(db, 'messages', 'transcript_id', 'idx', RECORDS_AT_ONCE),
    deleteContent: db.prepare<[number]>(
      'DELETE FROM contents WHERE id = ? AND NOT EXISTS (SELECT 1 FROM messages WHERE content_id = contents.id)',
    ),
    deleteTranscript: db.prepare<[number]>('DELETE FROM transcripts WHERE id = ?'),
  };
}
