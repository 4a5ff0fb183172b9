// Removing is quick for whoever asks: the transcript vanishes from all lists at once, its rows are deleted later, a
// slice a transaction. What is left to do is read from the tables, so a removal continues where a dead process left it.
// Until its time has come a removed transcript is whole, and can be brought back.

import { Buffer } from 'node:buffer';
import { asOneWrite, type Connection } from '../database.ts';
import type { Assets } from '../transcript/assets.ts';
import type { TranscriptIds } from '../transcript/transcripts.ts';

const RECORDS_AT_ONCE = 500;
const ROWS_AT_ONCE = 2_000;
const PAGES_AT_ONCE = 20;
/** How the names of a source begin that nothing is to be found by. */
const HIDDEN = 'removed ';

interface Marked extends TranscriptIds {
  /** 1 = no transcript of its source is left. */
  readonly dead: number;
}

/** A removed transcript with the names it had. */
interface Restorable extends TranscriptIds {
  readonly uid: string;
  readonly key: string;
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
   * Takes a transcript out of everything that lists or finds transcripts; its id and its file can be used again. Of a
   * file with other transcripts the records stay. `purgeAt` = when it is deleted (milliseconds since 1970); until then
   * {@link restore} brings it back.
   */
  mark({ id, source }: TranscriptIds, purgeAt = 0): void {
    asOneWrite(this.#db, () => {
      this.#statements.mark.run(purgeAt, id);
      this.#statements.markIncomplete.run(source);
      this.dropSource(source);
    });
  }

  /** Brings a removed transcript back as it was; false if it is being deleted, or is in the library again. */
  restore(uid: string): boolean {
    return asOneWrite(this.#db, (): boolean => {
      const found = this.#statements.restorable.get({ uid, now: Date.now() });
      if (found === undefined) return false;
      this.#statements.restore.run(found);
      this.#showSource(found.source);
      this.#statements.markComplete.run(found.source);
      return true;
    });
  }

  /** When the next removed transcript is to be deleted (milliseconds since 1970); null if none is. */
  nextDue(): number | null {
    return this.#statements.nextDue.get() ?? null;
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
    else this.#hideSource(source);
  }

  /** What it is known by gets a prefix: the same content imported now is a separate source, with the same ids. */
  #hideSource(source: number): void {
    const names = this.#statements.namesOf.get(source);
    if (names === undefined || isHidden(names.probe)) return;
    const prefix = Buffer.from(`${HIDDEN}${source} `);
    const [probe, uidBase] = [names.probe, names.uidBase].map((name) => Buffer.concat([prefix, name]));
    this.#statements.rename.run(probe!, uidBase!, source);
  }

  #showSource(source: number): void {
    const names = this.#statements.namesOf.get(source);
    if (names === undefined || !isHidden(names.probe)) return;
    const { length } = Buffer.from(`${HIDDEN}${source} `);
    this.#statements.rename.run(names.probe.subarray(length), names.uidBase.subarray(length), source);
  }

  /** Whether anything is to be deleted. */
  any(): boolean {
    return this.#statements.next.get({ now: Date.now() }) !== undefined;
  }

  /** Deletes a slice; false if nothing is left. */
  step(): boolean {
    if (!this.any()) return false;
    asOneWrite(this.#db, () => {
      const next = this.#statements.next.get({ now: Date.now() });
      if (next !== undefined) this.#delete(next);
    });
    return true;
  }

  /** Deletes what is marked of one source, in one go: for what an import leaves that failed. */
  finish(source: number): void {
    for (let next = this.#nextOf(source); next !== undefined; next = this.#nextOf(source)) this.#delete(next);
  }

  #nextOf(source: number): Marked | undefined {
    return this.#statements.nextOf.get({ source, now: Date.now() });
  }

  #delete(next: Marked): void {
    const { id, source, dead } = next;
    const { details, records, fillers, retire, deleteTranscript } = this.#statements;
    // Records first: what they share with messages is gone with the messages.
    if (dead === 1 && records.run(source, source).changes > 0) return;
    if (dead === 1 && fillers.run(source, source).changes > 0) return;
    if (details.some((statement) => statement.run(id, id).changes > 0)) return;
    if (dead === 0) {
      this.#forget(id);
      retire.run(id);
      return;
    }
    if (this.#deleteMessages(id)) return;
    this.#forget(id);
    deleteTranscript.run(id);
    this.dropSource(source);
    this.#assets.sweep();
  }

  /** What people added to it goes with it, unless the same content is in the library again. */
  #forget(id: number): void {
    for (const statement of this.#statements.forget) statement.run(id, id);
    this.#statements.tidyTags.run();
  }

  #deleteMessages(id: number): boolean {
    const contents = this.#statements.messages.all(id);
    if (contents.length === 0) return false;
    this.#statements.deleteMessages.run(id, id);
    for (const content of new Set(contents)) this.#statements.deleteContent.run(content);
    return true;
  }
}

function isHidden(probe: Buffer): boolean {
  return probe.subarray(0, HIDDEN.length).toString('latin1') === HIDDEN;
}

/** Deletes the first rows of a transcript in a table whose key within it is `key`. Parameters: the id, twice. */
function slice(db: Connection, table: string, owner: string, key: string, limit: number) {
  return db.prepare<[number, number]>(
    `DELETE FROM ${table} WHERE ${owner} = ? AND ${key} IN
     (SELECT ${key} FROM ${table} WHERE ${owner} = ? ORDER BY ${key} LIMIT ${limit})`,
  );
}

function removalStatements(db: Connection) {
  // One that may still be brought back keeps the records of its file.
  const others = `SELECT 1 FROM transcripts o WHERE o.source_id = t.source_id
    AND (o.removed = 0 OR (o.removed = 1 AND coalesce(o.purge_at, 0) > @now))`;
  const marked = `SELECT t.id, t.source_id AS source, NOT EXISTS (${others}) AS dead FROM transcripts t
    WHERE ((t.removed = 1 AND coalesce(t.purge_at, 0) <= @now) OR (t.removed = 2 AND NOT EXISTS (${others})))`;
  // The id it had before.
  const uid = `(SELECT substr(uid, 1, instr(uid, ' removed ') - 1) FROM transcripts WHERE id = ?)`;
  const forget = (table: string) =>
    db.prepare<[number, number]>(
      `DELETE FROM ${table} WHERE uid = ${uid} AND NOT EXISTS (
       SELECT 1 FROM transcripts o WHERE o.uid = ${table}.uid OR (o.removed = 1 AND o.uid LIKE ${table}.uid || ' removed %' AND o.id <> ?))`,
    );
  const ofTranscript = (table: string, key: string, limit = ROWS_AT_ONCE) =>
    slice(db, table, 'transcript_id', key, limit);
  return {
    // The names are unique in their tables: the same file may be imported again before the rows are gone.
    mark: db.prepare<[number, number]>(
      `UPDATE transcripts SET removed = 1, purge_at = ?, uid = uid || ' removed ' || id,
       key = key || ' removed ' || id WHERE id = ?`,
    ),
    restorable: db.prepare<{ uid: string; now: number }, Restorable>(
      `SELECT t.id, t.source_id AS source, @uid AS uid, substr(t.key, 1, length(t.key) - length(' removed ' || t.id)) AS key
       FROM transcripts t WHERE t.removed = 1 AND t.purge_at > @now AND t.uid = @uid || ' removed ' || t.id
       AND NOT EXISTS (SELECT 1 FROM transcripts o WHERE o.uid = @uid) ORDER BY t.id DESC LIMIT 1`,
    ),
    restore: db.prepare<Restorable>(
      'UPDATE transcripts SET removed = 0, purge_at = NULL, uid = @uid, key = @key WHERE id = @id',
    ),
    nextDue: db
      .prepare<[], number>(
        'SELECT purge_at FROM transcripts WHERE removed = 1 AND purge_at > 0 ORDER BY purge_at LIMIT 1',
      )
      .pluck(),
    forget: [
      'own_titles',
      'transcript_tags',
      'message_marks',
      'summaries',
      'context_policies',
      'overheads',
      'choices',
      'watchpoints',
    ].map(forget),
    tidyTags: db.prepare<[]>(
      'DELETE FROM tags WHERE NOT EXISTS (SELECT 1 FROM transcript_tags WHERE tag_id = tags.id)',
    ),
    markHidden: db.prepare<[number]>('UPDATE transcripts SET removed = 1 WHERE source_id = ? AND removed = 3'),
    markIncomplete: db.prepare<[number]>('UPDATE sources SET incomplete = 1 WHERE id = ?'),
    markComplete: db.prepare<[number]>(
      `UPDATE sources SET incomplete = EXISTS (
       SELECT 1 FROM transcripts t WHERE t.source_id = sources.id AND t.removed IN (1, 2)) WHERE id = ?`,
    ),
    countOf: db.prepare<[number], { live: number; all: number }>(
      'SELECT count(*) FILTER (WHERE removed = 0) AS live, count(*) AS "all" FROM transcripts WHERE source_id = ?',
    ),
    deleteSource: db.prepare<[number]>('DELETE FROM sources WHERE id = ?'),
    namesOf: db.prepare<[number], { readonly probe: Buffer; readonly uidBase: Buffer }>(
      'SELECT probe, uid_base AS uidBase FROM sources WHERE id = ?',
    ),
    rename: db.prepare<[Buffer, Buffer, number]>('UPDATE sources SET probe = ?, uid_base = ? WHERE id = ?'),
    next: db.prepare<{ now: number }, Marked>(`${marked} AND t.removed > 0 ORDER BY t.id LIMIT 1`),
    nextOf: db.prepare<{ source: number; now: number }, Marked>(
      `${marked} AND t.removed > 0 AND t.source_id = @source ORDER BY t.id LIMIT 1`,
    ),
    records: slice(db, 'records', 'source_id', 'byte_start', RECORDS_AT_ONCE),
    fillers: slice(db, 'fillers', 'source_id', 'byte_start', ROWS_AT_ONCE),
    details: [
      ofTranscript('events', 'seq'),
      ofTranscript('compactions', 'seq'),
      ofTranscript('spawns', 'seq'),
      ofTranscript('problems', 'id'),
      ofTranscript('token_pages', 'first', PAGES_AT_ONCE),
      ofTranscript('token_totals', 'tokenizer'),
      ofTranscript('beside_uses', 'digest'),
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
