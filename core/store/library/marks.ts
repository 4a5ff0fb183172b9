// Notes and bookmarks on messages. A mark names its message by transcript, source index and the hash of the exact text:
// a file that was rewritten or imported again may have moved the message, or have another one in its place.

import type { Buffer } from 'node:buffer';
import { asOneWrite, type Connection } from '../database.ts';

/** Where a marked message is now: as it was marked, at another index, changed in place, or not there any more. */
export type MarkState = 'here' | 'moved' | 'changed' | 'gone';

/** A note, a bookmark, or both. */
export interface StoredMark {
  /** Public id of the transcript. */
  readonly transcriptId: string;
  /** Where the message is now; for one that is gone, where it was. */
  readonly index: number;
  readonly state: MarkState;
  readonly note: string | null;
  /** ISO-8601; null = no bookmark. */
  readonly bookmarkedAt: string | null;
  readonly notedAt: string | null;
}

/** What is to be changed of a mark; what is left out stays. */
export interface MarkChange {
  /** null or '' removes it. */
  readonly note?: string | null;
  readonly bookmarked?: boolean;
}

interface MarkRow {
  readonly uid: string;
  readonly idx: number;
  readonly bookmarkedAt: string | null;
  readonly note: string | null;
  readonly notedAt: string | null;
  /** Row id of the content at its index: of that text, of another one, or none. */
  readonly same: number | null;
  readonly messages: number;
  /** The nearest index with the same text. */
  readonly elsewhere: number | null;
}

/** Marks on messages. */
export class Marks {
  readonly #db: Connection;
  readonly #statements: ReturnType<typeof markStatements>;

  constructor(db: Connection) {
    this.#db = db;
    this.#statements = markStatements(db);
  }

  /** Marks of a transcript in order, or (null) all of the library, the latest first. Removed transcripts have none. */
  list(transcriptId: string | null): readonly StoredMark[] {
    const rows = transcriptId === null ? this.#statements.all.all() : this.#statements.of.all(transcriptId);
    const marks = rows.map(markOf);
    if (transcriptId === null) return marks.sort((a, b) => latest(b).localeCompare(latest(a)));
    return marks.sort((a, b) => a.index - b.index);
  }

  /**
   * Changes the mark on a message as it is now; false if there is no such message (its mark can be taken away all the
   * same). `now` in ISO-8601.
   */
  set(transcriptId: string, index: number, change: MarkChange, now: string): boolean {
    return asOneWrite(this.#db, (): boolean => {
      const hash = this.#statements.hashAt.get(transcriptId, index);
      if (hash === undefined) return !change.note && change.bookmarked !== true && this.#drop(transcriptId, index);
      const known = this.list(transcriptId).find((mark) => mark.index === index);
      const note = change.note === undefined ? (known?.note ?? null) : change.note || null;
      const bookmarked = change.bookmarked ?? (known?.bookmarkedAt ?? null) !== null;
      this.#dropMoved(transcriptId, index);
      if (note === null && !bookmarked) return this.#drop(transcriptId, index);
      const notedAt = note === null ? null : note === known?.note ? known.notedAt : now;
      const bookmarkedAt = bookmarked ? (known?.bookmarkedAt ?? now) : null;
      this.#statements.put.run(transcriptId, index, hash, bookmarkedAt, note, notedAt);
      return true;
    });
  }

  #drop(transcriptId: string, index: number): boolean {
    this.#statements.drop.run(transcriptId, index);
    return true;
  }

  /** A mark whose message moved here is stored by its old index. */
  #dropMoved(transcriptId: string, index: number): void {
    for (const row of this.#statements.of.all(transcriptId)) {
      if (row.idx !== index && markOf(row).index === index) this.#drop(transcriptId, row.idx);
    }
  }
}

function markOf(row: MarkRow): StoredMark {
  const { uid, idx, note, notedAt, bookmarkedAt, same, messages, elsewhere } = row;
  const base = { transcriptId: uid, note, notedAt, bookmarkedAt };
  if (same === 1) return { ...base, index: idx, state: 'here' };
  if (elsewhere !== null) return { ...base, index: elsewhere, state: 'moved' };
  return { ...base, index: idx, state: idx < messages ? 'changed' : 'gone' };
}

function latest({ notedAt, bookmarkedAt }: StoredMark): string {
  return [notedAt ?? '', bookmarkedAt ?? ''].sort().at(-1) ?? '';
}

function markStatements(db: Connection) {
  const select = `SELECT k.uid, k.idx, k.bookmarked_at AS bookmarkedAt, k.note, k.noted_at AS notedAt, t.messages,
    (SELECT c.hash = k.hash FROM messages m JOIN contents c ON c.id = m.content_id
     WHERE m.transcript_id = t.id AND m.idx = k.idx) AS same,
    (SELECT m.idx FROM contents c JOIN messages m ON m.content_id = c.id
     WHERE c.hash = k.hash AND m.transcript_id = t.id ORDER BY abs(m.idx - k.idx) LIMIT 1) AS elsewhere
    FROM message_marks k JOIN transcripts t ON t.uid = k.uid AND t.removed = 0`;
  return {
    of: db.prepare<[string], MarkRow>(`${select} WHERE k.uid = ? ORDER BY k.idx`),
    all: db.prepare<[], MarkRow>(select),
    hashAt: db
      .prepare<[string, number], Buffer>(
        `SELECT c.hash FROM transcripts t JOIN messages m ON m.transcript_id = t.id JOIN contents c ON c.id = m.content_id
         WHERE t.uid = ? AND m.idx = ?`,
      )
      .pluck(),
    put: db.prepare<[string, number, Buffer, string | null, string | null, string | null]>(
      `INSERT INTO message_marks (uid, idx, hash, bookmarked_at, note, noted_at) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (uid, idx) DO UPDATE SET hash = excluded.hash, bookmarked_at = excluded.bookmarked_at,
       note = excluded.note, noted_at = excluded.noted_at`,
    ),
    drop: db.prepare<[string, number]>('DELETE FROM message_marks WHERE uid = ? AND idx = ?'),
  };
}
