import type { ImportedEvent, PlacedCompaction, RecordedCompaction, Visibility } from '../../model/transcript.ts';
import type { Connection } from '../database.ts';
import { DamagedContentError, readStored } from '../library/storeProblem.ts';
import type { StoredCompaction, StoredEvent } from '../types.ts';
import type { Records } from './records.ts';

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

/** What only some kinds of compaction have, as it is kept. */
type CompactionDetail = Pick<
  RecordedCompaction,
  'replacement' | 'incomplete' | 'clearedCallIds' | 'opaqueChars' | 'summaryAfter'
>;

interface RecordedRow extends StoredCompaction {
  readonly timestamp: string | null;
  readonly summaryIndex: number | null;
  readonly preserved: string | null;
  readonly detail: string | null;
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
    this.#statements.insertCompaction.run({
      transcript,
      seq: compactionSeq,
      at: compaction.at,
      label: event.text,
      kind: compaction.kind ?? null,
      timestamp: event.timestamp ?? null,
      trigger: compaction.trigger ?? null,
      preTokens: compaction.preTokens ?? null,
      postTokens: compaction.postTokens ?? null,
      summaryIndex: compaction.summaryIndex ?? null,
      preserved: compaction.preserved === undefined ? null : JSON.stringify(compaction.preserved),
      detail: detailOf(compaction),
    });
  }

  /** Events with from <= seq < to. */
  range(transcript: number, source: number, from: number, to: number): readonly StoredEvent[] {
    return this.#statements.range.all(transcript, from, to).map((row) => this.#stored(row, source));
  }

  /** Events of these kinds in order, `limit` of them behind the first `offset`; limit −1 = all. */
  ofKinds(
    transcript: number,
    source: number,
    kinds: readonly string[],
    offset = 0,
    limit = -1,
  ): readonly StoredEvent[] {
    const rows = this.#statements.ofKinds.all(transcript, 0, JSON.stringify(kinds), limit, offset);
    return rows.map((row) => this.#stored(row, source));
  }

  /** Events of these kinds from number `seq` among all events on. */
  ofKindsFrom(transcript: number, source: number, kinds: readonly string[], seq: number): readonly StoredEvent[] {
    const rows = this.#statements.ofKinds.all(transcript, seq, JSON.stringify(kinds), -1, 0);
    return rows.map((row) => this.#stored(row, source));
  }

  /** How many events there are of each kind, by name. */
  kinds(transcript: number): readonly { readonly kind: string; readonly count: number }[] {
    return this.#statements.kinds.all(transcript);
  }

  compactions(transcript: number): readonly StoredCompaction[] {
    return this.#statements.compactions.all(transcript);
  }

  /** Compactions with all that is known of them. */
  recorded(transcript: number): readonly PlacedCompaction[] {
    return this.#statements.recorded.all(transcript).map(recordedOf);
  }

  #stored(row: EventRow, source: number): StoredEvent {
    const { seq, at, kind, visibility, timestamp, text, line, byteStart, byteEnd } = row;
    const json = row.json ?? this.#jsonInRecord(row, source);
    return { seq, at, kind, visibility, timestamp, text, json, origin: { line, byteStart, byteEnd } };
  }

  #jsonInRecord(row: EventRow, source: number): string {
    const record = this.#records.text(source, row);
    if (record === null) throw new DamagedContentError(`the record at byte ${row.byteStart} is missing in the library`);
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
    insertCompaction: db.prepare<RecordedRow & { readonly transcript: number; readonly seq: number }>(
      `INSERT INTO compactions (transcript_id, seq, at, label, kind, timestamp, trigger_kind, pre_tokens, post_tokens,
       summary_index, preserved, detail) VALUES (@transcript, @seq, @at, @label, @kind, @timestamp, @trigger, @preTokens,
       @postTokens, @summaryIndex, @preserved, @detail)`,
    ),
    range: db.prepare<[number, number, number], EventRow>(
      `SELECT seq, at, kind, visibility, timestamp, text, line, byte_start AS byteStart, byte_end AS byteEnd,
       json_start AS jsonStart, json_length AS jsonLength, json
       FROM events WHERE transcript_id = ? AND seq >= ? AND seq < ? ORDER BY seq`,
    ),
    ofKinds: db.prepare<[number, number, string, number, number], EventRow>(
      `SELECT seq, at, kind, visibility, timestamp, text, line, byte_start AS byteStart, byte_end AS byteEnd,
       json_start AS jsonStart, json_length AS jsonLength, json FROM events
       WHERE transcript_id = ? AND seq >= ? AND kind IN (SELECT value FROM json_each(?)) ORDER BY seq LIMIT ? OFFSET ?`,
    ),
    kinds: db.prepare<[number], { readonly kind: string; readonly count: number }>(
      'SELECT kind, count(*) AS count FROM events WHERE transcript_id = ? GROUP BY kind ORDER BY kind',
    ),
    compactions: db.prepare<[number], StoredCompaction>(
      `SELECT at, label, kind, trigger_kind AS "trigger", pre_tokens AS preTokens, post_tokens AS postTokens
       FROM compactions WHERE transcript_id = ? ORDER BY seq`,
    ),
    recorded: db.prepare<[number], RecordedRow>(
      `SELECT at, label, kind, timestamp, trigger_kind AS "trigger", pre_tokens AS preTokens, post_tokens AS postTokens,
       summary_index AS summaryIndex, preserved, detail FROM compactions WHERE transcript_id = ? ORDER BY seq`,
    ),
  };
}

function detailOf(compaction: RecordedCompaction): string | null {
  const { replacement, incomplete, clearedCallIds, opaqueChars, summaryAfter } = compaction;
  const detail: CompactionDetail = {
    ...(replacement !== undefined && { replacement }),
    ...(incomplete !== undefined && { incomplete }),
    ...(clearedCallIds !== undefined && { clearedCallIds }),
    ...(opaqueChars !== undefined && { opaqueChars }),
    ...(summaryAfter !== undefined && { summaryAfter }),
  };
  return Object.keys(detail).length === 0 ? null : JSON.stringify(detail);
}

// The library wrote the JSON itself.
function recordedOf({ at, kind, timestamp, trigger, ...row }: RecordedRow): PlacedCompaction {
  const { preTokens, postTokens, summaryIndex } = row;
  const preserved: readonly number[] | null = row.preserved === null ? null : readStored(row.preserved);
  const detail: CompactionDetail = row.detail === null ? {} : readStored(row.detail);
  return {
    at,
    ...(kind !== null && { kind }),
    ...(timestamp !== null && { timestamp }),
    ...(trigger !== null && { trigger }),
    ...(preTokens !== null && { preTokens }),
    ...(postTokens !== null && { postTokens }),
    ...(summaryIndex !== null && { summaryIndex }),
    ...(preserved !== null && { preserved }),
    ...detail,
  };
}
