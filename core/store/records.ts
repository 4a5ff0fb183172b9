import type { Origin } from '../model/transcript.ts';
import type { Assets } from './assets.ts';
import type { Connection } from './database.ts';
import type { Messages } from './messages.ts';
import { type Payload, restoreAt } from './payloads.ts';

/** A stretch of a record's text that is also a stretch of a message's: [start, length, content id, start in it]. */
export type RecordSlice = readonly [start: number, length: number, contentId: number, contentStart: number];

/** A record ready to be written; `rest` is its text without payloads and without slices. */
export interface PreparedRecord {
  readonly source: number;
  readonly origin: Origin;
  readonly ignored: string | null;
  /** Places in the text without slices. */
  readonly payloads: readonly Payload[];
  readonly slices: readonly RecordSlice[];
  readonly rest: string;
}

interface RecordRow {
  readonly payloads: number;
  readonly slices: string | null;
  readonly text: string;
}

/** The records of files, with what they share with messages kept only there. */
export class Records {
  readonly #assets: Assets;
  readonly #messages: Messages;
  readonly #insert;
  readonly #get;

  constructor(db: Connection, assets: Assets, messages: Messages) {
    this.#assets = assets;
    this.#messages = messages;
    this.#insert = db.prepare<[number, number, number, number, string | null, number, string | null, string]>(
      `INSERT OR IGNORE INTO records (source_id, byte_start, byte_end, line, ignored, payloads, slices, text)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#get = db.prepare<[number, number, number], RecordRow>(
      'SELECT payloads, slices, text FROM records WHERE source_id = ? AND byte_start = ? AND byte_end = ?',
    );
  }

  /** Writes a record; one that is there already (import of a file some of whose transcripts were removed) stays. */
  insert(record: PreparedRecord): void {
    const { origin, payloads, slices } = record;
    const result = this.#insert.run(
      record.source,
      origin.byteStart,
      origin.byteEnd,
      origin.line,
      record.ignored,
      payloads.length,
      slices.length === 0 ? null : JSON.stringify(slices),
      record.rest,
    );
    if (result.changes > 0) this.#assets.attachToRecord(record.source, origin.byteStart, payloads);
  }

  /** The exact text of the record at a place of a source, or null if none is kept there. */
  text(source: number, place: { readonly byteStart: number; readonly byteEnd: number }): string | null {
    const row = this.#get.get(source, place.byteStart, place.byteEnd);
    if (row === undefined) return null;
    const whole =
      row.payloads === 0 ? row.text : restoreAt(row.text, this.#assets.recordTexts(source, place.byteStart));
    return row.slices === null ? whole : restoreAt(whole, this.#sliceTexts(row.slices));
  }

  #sliceTexts(packed: string): { start: number; text: string }[] {
    const slices: RecordSlice[] = JSON.parse(packed);
    let known: { id: number; text: string } | null = null;
    return slices.map(([start, length, id, from]) => {
      if (known === null || known.id !== id) known = { id, text: this.#messages.contentText(id) };
      return { start, text: known.text.slice(from, from + length) };
    });
  }
}
