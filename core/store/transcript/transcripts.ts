import type { TranscriptMeta } from '../../model/transcript.ts';
import type { Connection } from '../database.ts';
import { readStored } from '../library/storeProblem.ts';
import type { TranscriptCounts, TranscriptRow, TranscriptState } from '../types.ts';

/** What an import knows of a transcript so far; written with every batch. */
export interface TranscriptProgress {
  readonly meta: TranscriptMeta;
  readonly models: readonly string[];
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly counts: TranscriptCounts;
  readonly errors: number;
}

/** A new transcript of a source, in state `importing`. */
export interface NewTranscript {
  readonly uid: string;
  readonly source: number;
  readonly key: string;
  readonly meta: TranscriptMeta;
  readonly importedAt: string;
  /** What it counts its revisions from: a key that was used before begins where no reader can take it for the old one. */
  readonly revision: number;
  /** Listed nowhere, and deleted when its import ends. */
  readonly hidden: boolean;
}

/** A transcript's internal ids. */
export interface TranscriptIds {
  readonly id: number;
  readonly source: number;
}

interface Row extends TranscriptCounts {
  readonly revision: number;
  readonly uid: string;
  readonly key: string;
  readonly format: string;
  readonly state: TranscriptState;
  readonly meta: string;
  readonly request: string | null;
  readonly models: string;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly importedAt: string;
  readonly failure: string | null;
  readonly bytes: number;
  readonly files: string;
  readonly errors: number | null;
  readonly ownTitle: string | null;
  readonly tags: string | null;
  readonly notes: number;
  readonly noteText: string | null;
  readonly bookmarks: number;
  readonly firstText: string | null;
  readonly baseId: string | null;
  readonly baseMessages: number | null;
  readonly shared: number | null;
}

/** Transcripts as wholes: list, write. Removed ones (see Removal) are not among them. */
export class Transcripts {
  readonly #statements: ReturnType<typeof transcriptStatements>;

  constructor(db: Connection) {
    this.#statements = transcriptStatements(db);
  }

  /** All transcripts, without `meta.systemJson`, `toolsJson`, `settingsJson`, `metadataJson`, which may be large. */
  list(): readonly TranscriptRow[] {
    return this.#statements.list.all().map(rowOf);
  }

  get(uid: string): TranscriptRow | null {
    const row = this.#statements.get.get(uid);
    return row === undefined ? null : rowOf(row);
  }

  /** Those of these transcripts that are there; like `list`, without what may be large. */
  some(uids: readonly string[]): readonly TranscriptRow[] {
    return this.#statements.some.all(JSON.stringify(uids)).map(rowOf);
  }

  /** A transcript whose errors were not counted; null if there is none. */
  uncounted(): number | null {
    return this.#statements.uncounted.get() ?? null;
  }

  setErrors(id: number, errors: number): void {
    this.#statements.setErrors.run(errors, id);
  }

  ids(uid: string): TranscriptIds | null {
    return this.#statements.ids.get(uid) ?? null;
  }

  /** The transcripts of a source: key, public id, state. */
  ofSource(
    source: number,
  ): readonly { id: number; key: string; uid: string; state: TranscriptState; messages: number }[] {
    return this.#statements.ofSource.all(source);
  }

  /** Whether a transcript is the only one of its source; also while it is not there. */
  isAlone(uid: string): boolean {
    const ids = this.ids(uid);
    return ids === null || this.ofSource(ids.source).length <= 1;
  }

  /** Row id of a transcript that was removed from a source (see Removal), by the key it had; null if there is none. */
  removed(source: number, key: string): number | null {
    return this.#statements.removed.get(source, key) ?? null;
  }

  insert(transcript: NewTranscript): number {
    const { uid, source, key, importedAt, revision, hidden } = transcript;
    const { meta, request } = packMeta(transcript.meta);
    const { format } = transcript.meta;
    const result = this.#statements.insert.run(
      uid,
      source,
      key,
      format,
      importedAt,
      meta,
      request,
      revision,
      hidden ? 3 : 0,
    );
    return Number(result.lastInsertRowid);
  }

  update(id: number, { meta, models, startedAt, endedAt, counts, errors }: TranscriptProgress): void {
    this.#statements.update.run({
      ...counts,
      id,
      errors,
      ...packMeta(meta),
      format: meta.format,
      models: JSON.stringify(models),
      startedAt,
      endedAt,
    });
  }

  /** See TranscriptRow; null if there is no such transcript. */
  revision(id: number): number | null {
    return this.#statements.revision.get(id) ?? null;
  }

  setState(id: number, state: TranscriptState, failure: string | null): void {
    this.#statements.setState.run(state, failure, id);
  }
}

const columns = (
  request: string,
) => `t.uid, t.key, t.format, t.state, t.meta, ${request} AS request, t.models, t.started_at AS startedAt, t.ended_at AS endedAt,
  t.imported_at AS importedAt, t.failure, t.revision, t.messages, t.parts, t.turns, t.call_points AS callPoints, t.events,
  t.compactions, t.problems, t.assets, t.errors, s.bytes,
  (SELECT title FROM own_titles o WHERE o.uid = t.uid) AS ownTitle,
  (SELECT json_group_array(name) FROM (SELECT g.name FROM transcript_tags x JOIN tags g ON g.id = x.tag_id
   WHERE x.uid = t.uid ORDER BY g.name COLLATE NOCASE)) AS tags,
  (SELECT count(note) FROM message_marks k WHERE k.uid = t.uid) AS notes,
  (SELECT substr(group_concat(note, ' '), 1, 1000) FROM message_marks k WHERE k.uid = t.uid) AS noteText,
  (SELECT count(bookmarked_at) FROM message_marks k WHERE k.uid = t.uid) AS bookmarks,
  d.first_text AS firstText, d.shared, b.uid AS baseId, b.messages AS baseMessages,
  (SELECT json_group_array(path) FROM (SELECT path FROM files f WHERE f.source_id = s.id ORDER BY f.id)) AS files`;

type UpdateParams = TranscriptCounts & {
  readonly id: number;
  readonly errors: number;
  readonly meta: string;
  readonly request: string | null;
  readonly format: string;
  readonly models: string;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
};

function transcriptStatements(db: Connection) {
  const from = `FROM transcripts t JOIN sources s ON s.id = t.source_id
    LEFT JOIN derived d ON d.transcript_id = t.id LEFT JOIN transcripts b ON b.id = d.base_id AND b.removed = 0`;
  return {
    list: db.prepare<[], Row>(`SELECT ${columns('NULL')} ${from} WHERE t.removed = 0 ORDER BY t.id DESC`),
    some: db.prepare<[string], Row>(
      `SELECT ${columns('NULL')} ${from} WHERE t.removed = 0 AND t.uid IN (SELECT value FROM json_each(?)) ORDER BY t.id DESC`,
    ),
    uncounted: db
      .prepare<[], number>(
        "SELECT id FROM transcripts WHERE errors IS NULL AND removed = 0 AND state <> 'importing' LIMIT 1",
      )
      .pluck(),
    setErrors: db.prepare<[number, number]>('UPDATE transcripts SET errors = ? WHERE id = ?'),
    get: db.prepare<[string], Row>(`SELECT ${columns('t.request')} ${from} WHERE t.uid = ?`),
    ids: db.prepare<[string], TranscriptIds>('SELECT id, source_id AS source FROM transcripts WHERE uid = ?'),
    ofSource: db.prepare<[number], { id: number; key: string; uid: string; state: TranscriptState; messages: number }>(
      'SELECT id, key, uid, state, messages FROM transcripts WHERE source_id = ? AND removed = 0 ORDER BY id',
    ),
    removed: db
      .prepare<[number, string], number>(
        `SELECT id FROM transcripts WHERE source_id = ? AND removed > 0 AND key = ? || ' removed ' || id`,
      )
      .pluck(),
    insert: db.prepare<[string, number, string, string, string, string, string | null, number, number]>(
      `INSERT INTO transcripts (uid, source_id, key, format, state, imported_at, meta, request, revision, removed)
       VALUES (?, ?, ?, ?, 'importing', ?, ?, ?, ?, ?)`,
    ),
    update: db.prepare<UpdateParams>(
      `UPDATE transcripts SET meta = @meta, request = @request, format = @format, models = @models, started_at = @startedAt,
       ended_at = @endedAt, messages = @messages, parts = @parts, turns = @turns, call_points = @callPoints,
       events = @events, compactions = @compactions, problems = @problems, assets = @assets, errors = @errors
       WHERE id = @id`,
    ),
    revision: db.prepare<[number], number>('SELECT revision FROM transcripts WHERE id = ?').pluck(),
    setState: db.prepare<[string, string | null, number]>('UPDATE transcripts SET state = ?, failure = ? WHERE id = ?'),
  };
}

function packMeta(meta: TranscriptMeta): { readonly meta: string; readonly request: string | null } {
  const { systemJson, toolsJson, settingsJson, metadataJson, ...rest } = meta;
  const request = { systemJson, toolsJson, settingsJson, metadataJson };
  const hasRequest = Object.values(request).some((text) => text !== undefined);
  return { meta: JSON.stringify(rest), request: hasRequest ? JSON.stringify(request) : null };
}

function rowOf(row: Row): TranscriptRow {
  const { messages, parts, turns, callPoints, events, compactions, problems, assets } = row;
  return {
    id: row.uid,
    key: row.key,
    format: row.format,
    state: row.state,
    revision: row.revision,
    meta: { ...readStored(row.meta), ...(row.request === null ? {} : readStored(row.request)) },
    counts: { messages, parts, turns, callPoints, events, compactions, problems, assets },
    errors: row.errors,
    kept: {
      title: row.ownTitle,
      tags: row.tags === null ? [] : readStored(row.tags),
      notes: row.notes,
      noteText: row.noteText ?? '',
      bookmarks: row.bookmarks,
    },
    firstText: row.firstText,
    base: baseOf(row),
    bytes: row.bytes,
    importedAt: row.importedAt,
    files: readStored(row.files),
    failure: row.failure === null ? null : readStored(row.failure),
    models: readStored(row.models),
    startedAt: row.startedAt,
    endedAt: row.endedAt,
  };
}

function baseOf({ baseId, baseMessages, shared }: Row): TranscriptRow['base'] {
  return baseId === null ? null : { id: baseId, shared: shared ?? 0, messages: baseMessages ?? 0 };
}
