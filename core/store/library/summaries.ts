// Summaries that people wrote. Each names its span by transcript and source indices, and by the hash of the span's last
// message: a file that was rewritten or imported again may have moved the span, or have other messages in it.

import type { Buffer } from 'node:buffer';
import type { SummaryArtifact } from '../../model/summary.ts';
import { asOneWrite, type Connection } from '../database.ts';
import type { MarkState } from './marks.ts';

/** A written summary with where its span is now. One that is `changed` or `gone` applies nowhere. */
export interface StoredSummary extends SummaryArtifact {
  readonly state: MarkState;
  /** ISO-8601. */
  readonly writtenAt: string;
}

/** What `set` and `remove` name: a span as it is now, end exclusive. */
export interface SummarySpan {
  readonly from: number;
  readonly to: number;
}

interface SummaryRow {
  readonly from: number;
  readonly to: number;
  readonly version: number;
  readonly content: string;
  readonly writtenAt: string;
  readonly messages: number;
  /** Whether the span's last message stands where it stood; null = no message is there. */
  readonly same: number | null;
  /** The nearest index with the same text. */
  readonly elsewhere: number | null;
}

/** Written summaries of all transcripts. */
export class Summaries {
  readonly #db: Connection;
  readonly #statements: ReturnType<typeof summaryStatements>;

  constructor(db: Connection) {
    this.#db = db;
    this.#statements = summaryStatements(db);
  }

  /** Those of a transcript, by where they end, then by version. */
  list(transcriptId: string): readonly StoredSummary[] {
    const found = this.#statements.of.all(transcriptId).map(summaryOf);
    return found.sort((a, b) => a.to - b.to || a.from - b.from || a.version - b.version);
  }

  /** Writes a new version of a span's summary, and gives its number; null if there are no such messages. */
  set(transcriptId: string, { from, to }: SummarySpan, content: string, now: string): number | null {
    return asOneWrite(this.#db, (): number | null => {
      const hash = this.#statements.hashAt.get(transcriptId, to - 1);
      if (hash === undefined || from < 0 || from >= to) return null;
      const known = this.list(transcriptId).filter((one) => one.from === from && one.to === to);
      const stored = this.#statements.last.get(transcriptId, from, to) ?? 0;
      const version = Math.max(stored, ...known.map((one) => one.version)) + 1;
      this.#statements.put.run(transcriptId, from, to, version, content, hash, now);
      return version;
    });
  }

  /** Gives another transcript, which begins with the same messages, the summaries that end at `end` or before. */
  copy(from: string, to: string, end: number): void {
    this.#statements.copy.run(to, from, end);
  }

  /** Deletes a span's summary, of all versions or (`version`) of one. False if there was none. */
  remove(transcriptId: string, { from, to }: SummarySpan, version: number | null = null): boolean {
    return asOneWrite(this.#db, (): boolean => {
      const rows = this.#statements.of.all(transcriptId).filter((row) => {
        const now = summaryOf(row);
        return now.from === from && now.to === to && (version === null || version === row.version);
      });
      for (const row of rows) this.#statements.drop.run(transcriptId, row.from, row.to, row.version);
      return rows.length > 0;
    });
  }
}

// A span that moved keeps its length, unless it began with the transcript: then it still does.
function summaryOf({ from, to, version, content, writtenAt, messages, same, elsewhere }: SummaryRow): StoredSummary {
  const base = { content, version, origin: 'written', writtenAt } as const;
  if (same === 1) return { ...base, from, to, state: 'here' };
  if (elsewhere === null) return { ...base, from, to, state: to <= messages ? 'changed' : 'gone' };
  const shift = elsewhere + 1 - to;
  return { ...base, from: from === 0 ? 0 : Math.max(0, from + shift), to: to + shift, state: 'moved' };
}

function summaryStatements(db: Connection) {
  const last = 's.to_seq - 1';
  return {
    of: db.prepare<[string], SummaryRow>(
      `SELECT s.from_seq AS "from", s.to_seq AS "to", s.version, s.content, s.written_at AS writtenAt, t.messages,
       (SELECT c.hash = s.hash FROM messages m JOIN contents c ON c.id = m.content_id
        WHERE m.transcript_id = t.id AND m.idx = ${last}) AS same,
       (SELECT m.idx FROM contents c JOIN messages m ON m.content_id = c.id
        WHERE c.hash = s.hash AND m.transcript_id = t.id ORDER BY abs(m.idx - (${last})) LIMIT 1) AS elsewhere
       FROM summaries s JOIN transcripts t ON t.uid = s.uid AND t.removed = 0 WHERE s.uid = ?`,
    ),
    hashAt: db
      .prepare<[string, number], Buffer>(
        `SELECT c.hash FROM transcripts t JOIN messages m ON m.transcript_id = t.id JOIN contents c ON c.id = m.content_id
         WHERE t.uid = ? AND m.idx = ?`,
      )
      .pluck(),
    last: db
      .prepare<[string, number, number], number | null>(
        'SELECT max(version) FROM summaries WHERE uid = ? AND from_seq = ? AND to_seq = ?',
      )
      .pluck(),
    put: db.prepare<[string, number, number, number, string, Buffer, string]>(
      `INSERT INTO summaries (uid, from_seq, to_seq, version, content, origin, hash, written_at)
       VALUES (?, ?, ?, ?, ?, 'written', ?, ?)`,
    ),
    copy: db.prepare<[string, string, number]>(
      `INSERT INTO summaries (uid, from_seq, to_seq, version, content, origin, hash, written_at)
       SELECT ?, from_seq, to_seq, version, content, origin, hash, written_at FROM summaries WHERE uid = ? AND to_seq <= ?`,
    ),
    drop: db.prepare<[string, number, number, number]>(
      'DELETE FROM summaries WHERE uid = ? AND from_seq = ? AND to_seq = ? AND version = ?',
    ),
  };
}
