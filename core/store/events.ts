import type { ImportedEvent, RecordedCompaction, Visibility } from '../model/transcript.ts';
import type { Connection } from './database.ts';
import type { Records } from './records.ts';
import type { StoredCompaction, StoredEvent } from './types.ts';

/** An event ready to be written: its JSON is a stretch of its record, or kept by itself (`json`). */
export interface PreparedEvent {
  readonly event: ImportedEvent;
  readonly jsonStart: number;
  readonly json: string | null;
  readonly compaction: RecordedCompaction | null;
}

/** Numbers of an event among the transcript's events, and of its compaction among the compactions. */
export interface EventPlace {
  readonly seq: number;
  readonly compactionSeq: number;
}

interface EventRow {
  readonly seq: number;
  readonly at: number;
  readonly kind: string;
  readonly visibility: Visibility;
  readonly timestamp: string | null;
  readonly text: string;
  readonly line: number;
  readonly byteStart: number;
  readonly byteEnd: number;
  readonly jsonStart: number;
  readonly jsonLength: number;
  readonly json: string | null;
}

interface CompactionRow extends Omit<StoredCompaction, 'preserved'> {
  readonly preserved: string | null;
}

/** Audit events and recorded compactions. */
export class Events {
  readonly #records: Records;
  readonly #statements: ReturnType<typeof eventStatements>;

  constructor(db: Connection, records: Records) {
    this.#records = records;
    this.#statements = eventStatements(db);
  }

  /** Writes an event as the one with number `seq`; a compaction has a number of its own among compactions. */
  insert(transcript: number, prepared: PreparedEvent, { seq, compactionSeq }: EventPlace): void {
    const { event, jsonStart, json, compaction } = prepared;
    const { line, byteStart, byteEnd } = event.origin;
    this.#statements.insert.run(
      ...([transcript, seq, event.at, event.kind, event.visibility, event.timestamp ?? null, event.text] as const),
      ...([line, byteStart, byteEnd, jsonStart, event.json.length, json] as const),
    );
    if (compaction === null) return;
    this.#statements.insertCompaction.run(
      transcript,
      compactionSeq,
      compaction.at,
      event.text,
      compaction.trigger ?? null,
      compaction.preTokens ?? null,
      compaction.postTokens ?? null,
      compaction.summaryIndex ?? null,
      compaction.preserved === undefined ? null : JSON.stringify(compaction.preserved),
    );
  }

  /** Events with from <= seq < to. */
  range(transcript: number, source: number, from: number, to: number): readonly StoredEvent[] {
    return this.#statements.range.all(transcript, from, to).map((row) => this.#stored(row, source));
  }

  compactions(transcript: number): readonly StoredCompaction[] {
    return this.#statements.compactions
      .all(transcript)
      .map((row) => ({ ...row, preserved: row.preserved === null ? null : JSON.parse(row.preserved) }));
  }

  #stored(row: EventRow, source: number): StoredEvent {
    const { seq, at, kind, visibility, timestamp, text, line, byteStart, byteEnd } = row;
    const json = row.json ?? this.#jsonInRecord(row, source);
    return { seq, at, kind, visibility, timestamp, text, json, origin: { line, byteStart, byteEnd } };
  }

  #jsonInRecord(row: EventRow, source: number): string {
    const record = this.#records.text(source, row);
    if (record === null) throw new Error(`the record at byte ${row.byteStart} is missing in the library`);
    return record.slice(row.jsonStart, row.jsonStart + row.jsonLength);
  }
}

function eventStatements(db: Connection) {
  return {
    insert: db.prepare<
      [
        ...[number, number, number, string, string, string | null, string],
        ...[number, number, number, number, number, string | null],
      ]
    >(
      `INSERT INTO events (transcript_id, seq, at, kind, visibility, timestamp, text, line, byte_start, byte_end,
       json_start, json_length, json) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    insertCompaction: db.prepare<
      [number, number, number, string, string | null, number | null, number | null, number | null, string | null]
    >('INSERT INTO compactions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)'),
    range: db.prepare<[number, number, number], EventRow>(
      `SELECT seq, at, kind, visibility, timestamp, text, line, byte_start AS byteStart, byte_end AS byteEnd,
       json_start AS jsonStart, json_length AS jsonLength, json
       FROM events WHERE transcript_id = ? AND seq >= ? AND seq < ? ORDER BY seq`,
    ),
    compactions: db.prepare<[number], CompactionRow>(
      `SELECT at, label, trigger_kind AS "trigger", pre_tokens AS preTokens, post_tokens AS postTokens,
       summary_index AS summaryIndex, preserved FROM compactions WHERE transcript_id = ? ORDER BY seq`,
    ),
  };
}
