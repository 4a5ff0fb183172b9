// How far the file of a source has been read. Readers are not stored: continuing means reading the file again from its
// start without writing, up to the mark, and writing from there. So a mark holds all that makes the second reading report
// exactly what the first reported: how it began, when the readers were asked to settle, and what the bytes were.

import type { Buffer } from 'node:buffer';
import type { Connection } from '../database.ts';
import { readStored } from '../library/storeProblem.ts';
import type { Lengths } from './changes.ts';

/** Where a reading stands after a batch. */
export interface FeedMark {
  /** Bytes read; what they gave is in the library. */
  readonly bytesDone: number;
  /** Bytes read when the reader was last asked to settle; null = never. */
  readonly settledAt: number | null;
  readonly format: string;
  /** Bytes that detection saw. */
  readonly headBytes: number;
  /** Records are lines, so that what is appended continues; a document is another one with every change. */
  readonly lines: boolean;
  /** SHA-256 of the bytes read. */
  readonly sha256: Buffer;
  /** Bytes at the end that belong to no record yet. */
  readonly heldBytes: number;
}

/** What the end of the reading reported after the mark; it is taken back when the file continues. */
export interface FeedTail {
  /** What was there at the mark of the transcripts that the end made longer, by key. */
  readonly lengths: Readonly<Record<string, Lengths>>;
  /** The largest id of a problem reported before it. */
  readonly problemsTo: number;
  /** It changed what stood before the mark: it cannot be taken back, all must be read again. */
  readonly rewritten: boolean;
}

/** A mark as stored. */
export interface FeedRow extends FeedMark {
  /** Records and fillers from this byte on may not have been written. */
  readonly recordsFrom: number;
  /** Null while the reading has not ended. */
  readonly tail: FeedTail | null;
  /** Grows with every batch: who finds another number than its own has been overtaken. */
  readonly turn: number;
}

interface Row extends Omit<FeedRow, 'lines' | 'tail'> {
  readonly lines: number;
  readonly tail: string | null;
}

/** The marks of sources. Sources imported by older versions of the program have none. */
export class Feeds {
  readonly #statements: ReturnType<typeof feedStatements>;

  constructor(db: Connection) {
    this.#statements = feedStatements(db);
  }

  of(source: number): FeedRow | null {
    const row = this.#statements.get.get(source);
    if (row === undefined) return null;
    return { ...row, lines: row.lines === 1, tail: row.tail === null ? null : readStored(row.tail) };
  }

  /**
   * Moves the mark, from `turn` to the next (0 = there is none yet); false if somebody else moved it. A reading that
   * continues has not ended.
   */
  advance(source: number, turn: number, recordsFrom: number, mark: FeedMark): boolean {
    const { bytesDone, settledAt, format, headBytes, lines, sha256, heldBytes } = mark;
    const values = [bytesDone, settledAt, format, headBytes, lines ? 1 : 0, sha256, heldBytes, recordsFrom] as const;
    if (turn === 0) return this.#statements.insert.run(...values, source).changes === 1;
    return this.#statements.update.run(...values, source, turn).changes === 1;
  }

  /** Notes that the reading ended, and what was reported at its end; false if somebody else moved the mark. */
  end(source: number, turn: number, tail: FeedTail): boolean {
    return this.#statements.end.run(JSON.stringify(tail), source, turn).changes === 1;
  }

  /** Forgets the mark: the source is read again. */
  forget(source: number): void {
    this.#statements.forget.run(source);
  }

  /** The largest id of a problem of a source; 0 if there is none. */
  lastProblem(source: number): number {
    return this.#statements.lastProblem.get(source) ?? 0;
  }
}

type MarkValues = [number, number | null, string, number, number, Buffer, number, number];

function feedStatements(db: Connection) {
  return {
    get: db.prepare<[number], Row>(
      `SELECT bytes_done AS bytesDone, settled_at AS settledAt, format, head_bytes AS headBytes, lines, sha256,
       held_bytes AS heldBytes, records_from AS recordsFrom, tail, turn FROM feeds WHERE source_id = ?`,
    ),
    insert: db.prepare<[...MarkValues, number]>(
      `INSERT INTO feeds (bytes_done, settled_at, format, head_bytes, lines, sha256, held_bytes, records_from, source_id, turn)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 1) ON CONFLICT DO NOTHING`,
    ),
    update: db.prepare<[...MarkValues, number, number]>(
      `UPDATE feeds SET bytes_done = ?, settled_at = ?, format = ?, head_bytes = ?, lines = ?, sha256 = ?,
       held_bytes = ?, records_from = ?, tail = NULL, turn = turn + 1 WHERE source_id = ? AND turn = ?`,
    ),
    end: db.prepare<[string, number, number]>(
      'UPDATE feeds SET tail = ?, turn = turn + 1 WHERE source_id = ? AND turn = ?',
    ),
    forget: db.prepare<[number]>('DELETE FROM feeds WHERE source_id = ?'),
    lastProblem: db.prepare<[number], number | null>('SELECT max(id) FROM problems WHERE source_id = ?').pluck(),
  };
}
