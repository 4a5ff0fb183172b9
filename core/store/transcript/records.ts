import { Buffer } from 'node:buffer';
import type { Origin } from '../../model/transcript.ts';
import type { Connection } from '../database.ts';
import { readStored } from '../library/storeProblem.ts';
import type { StoredRecord } from '../types.ts';
import type { Assets } from './assets.ts';
import type { Messages } from './messages.ts';
import { extractPayloads, type Payload, restoreAt, without } from './payloads.ts';
import { type BlockedText, disjoint, sharedStretches } from './recordSlices.ts';

const NEWLINE = 0x0a;

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
  /** Exact bytes, where the text is not them. */
  readonly bytes: Uint8Array | null;
}

/** A stretch of a file that belongs to no record. */
export interface StoredFiller {
  readonly byteStart: number;
  readonly bytes: Uint8Array;
}

/** A content as records share it. */
export interface SharedContent {
  readonly id: number;
  readonly text: BlockedText;
}

interface RecordRow {
  readonly payloads: number;
  readonly slices: string | null;
  readonly text: string;
}

interface RecordAt extends RecordRow {
  readonly byteStart: number;
  readonly byteEnd: number;
  readonly line: number;
  readonly bytes: Buffer | null;
}

/** The records of files, with what they share with messages kept only there. */
export class Records {
  readonly #assets: Assets;
  readonly #messages: Messages;
  readonly #statements: ReturnType<typeof recordStatements>;

  constructor(db: Connection, assets: Assets, messages: Messages) {
    this.#assets = assets;
    this.#messages = messages;
    this.#statements = recordStatements(db);
  }

  /** Writes a record; one that is there already (import of a file some of whose transcripts were removed) stays. */
  insert(record: PreparedRecord): void {
    const { origin, payloads, slices } = record;
    const result = this.#statements.insert.run(
      record.source,
      origin.byteStart,
      origin.byteEnd,
      origin.line,
      record.ignored,
      payloads.length,
      slices.length === 0 ? null : JSON.stringify(slices),
      record.rest,
      record.bytes,
    );
    if (result.changes > 0) this.#assets.attachToRecord(record.source, origin.byteStart, payloads);
  }

  /** Takes away records and fillers from a byte on. */
  truncate(source: number, byteStart: number): void {
    this.#statements.cut.run(source, byteStart);
    this.#statements.cutFillers.run(source, byteStart);
  }

  /** The text of the record at a place of a source, or null if none is kept there. */
  text(source: number, place: { readonly byteStart: number; readonly byteEnd: number }): string | null {
    const row = this.#statements.get.get(source, place.byteStart);
    return row === undefined || row.byteEnd !== place.byteEnd ? null : this.#text(source, row);
  }

  /** The record that begins at a byte, or null; `bytes` only where the text is not its exact bytes. */
  at(source: number, byteStart: number): StoredRecord | null {
    const row = this.#statements.get.get(source, byteStart);
    if (row === undefined) return null;
    const origin = { line: row.line, byteStart, byteEnd: row.byteEnd };
    return { origin, json: this.#text(source, row), ...(row.bytes === null ? {} : { bytes: row.bytes }) };
  }

  /**
   * Writes a record again so that it needs a content no more: what it shared with it is shared with `instead` (a
   * message's content), or is its own again.
   */
  release(source: number, byteStart: number, contentId: number, instead: SharedContent | null): void {
    const row = this.#statements.get.get(source, byteStart);
    const slices: RecordSlice[] = readStored(row?.slices ?? '[]');
    const kept = slices.filter(([, , id]) => id !== contentId);
    if (row === undefined || kept.length === slices.length) return;
    const text = this.#text(source, row);
    const shared = instead === null ? [] : sharedStretches(text, instead.text);
    const made = shared.map(
      ({ start, length, messageStart }): RecordSlice => [start, length, instead!.id, messageStart],
    );
    const next = disjoint([...kept, ...made].map((slice) => ({ start: slice[0], length: slice[1], slice })));
    const { rest, payloads } = extractPayloads(without(text, next));
    const packed = next.length === 0 ? null : JSON.stringify(next.map(({ slice }) => slice));
    this.#statements.dropAssets.run(source, byteStart);
    this.#statements.rewrite.run(payloads.length, packed, rest, source, byteStart);
    this.#assets.attachToRecord(source, byteStart, payloads);
  }

  /** Writes what stands between records; what is there already stays. */
  insertFiller(source: number, { byteStart, bytes }: StoredFiller): void {
    this.#statements.insertFiller.run(source, byteStart, bytes);
  }

  /**
   * The file as it was, of a source imported whole: records and fillers where they stood, elsewhere line feeds, or in a
   * document its remainder (the record that covers all). Only of records too long to be held nothing is kept.
   */
  fileBytes(source: number, size: number): Buffer {
    const file = Buffer.alloc(size, NEWLINE);
    const covered = new Uint8Array(size);
    const put = (bytes: Uint8Array, at: number) => {
      file.set(bytes, at);
      covered.fill(1, at, at + bytes.length);
    };
    for (const { byteStart, bytes } of this.#statements.fillers.all(source)) put(bytes, byteStart);
    let remainder: Buffer | null = null;
    for (const row of this.#statements.all.all(source)) {
      const bytes = row.bytes ?? Buffer.from(this.#text(source, row), 'utf8');
      if (bytes.length === row.byteEnd - row.byteStart) put(bytes, row.byteStart);
      else remainder ??= bytes;
    }
    if (remainder !== null) fillGaps(file, covered, remainder);
    return file;
  }

  #text(source: number, row: RecordAt): string {
    const whole = row.payloads === 0 ? row.text : restoreAt(row.text, this.#assets.recordTexts(source, row.byteStart));
    return row.slices === null ? whole : restoreAt(whole, this.#sliceTexts(row.slices));
  }

  #sliceTexts(packed: string): { start: number; text: string }[] {
    const slices: RecordSlice[] = readStored(packed);
    let known: { id: number; text: string } | null = null;
    return slices.map(([start, length, id, from]) => {
      if (known === null || known.id !== id) known = { id, text: this.#messages.contentText(id) };
      return { start, text: known.text.slice(from, from + length) };
    });
  }
}

function fillGaps(file: Buffer, covered: Uint8Array, bytes: Buffer): void {
  let taken = 0;
  for (let at = 0; at < file.length && taken < bytes.length; at++) {
    if (covered[at] === 0) file[at] = bytes[taken++]!;
  }
}

function recordStatements(db: Connection) {
  const columns = 'byte_start AS byteStart, byte_end AS byteEnd, line, payloads, slices, text, bytes';
  return {
    insert: db.prepare<
      [number, number, number, number, string | null, number, string | null, string, Uint8Array | null]
    >(
      `INSERT OR IGNORE INTO records (source_id, byte_start, byte_end, line, ignored, payloads, slices, text, bytes)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    get: db.prepare<[number, number], RecordAt>(
      `SELECT ${columns} FROM records WHERE source_id = ? AND byte_start = ?`,
    ),
    all: db.prepare<[number], RecordAt>(`SELECT ${columns} FROM records WHERE source_id = ? ORDER BY byte_start`),
    rewrite: db.prepare<[number, string | null, string, number, number]>(
      'UPDATE records SET payloads = ?, slices = ?, text = ? WHERE source_id = ? AND byte_start = ?',
    ),
    dropAssets: db.prepare<[number, number]>('DELETE FROM record_assets WHERE source_id = ? AND byte_start = ?'),
    cut: db.prepare<[number, number]>('DELETE FROM records WHERE source_id = ? AND byte_start >= ?'),
    cutFillers: db.prepare<[number, number]>('DELETE FROM fillers WHERE source_id = ? AND byte_start >= ?'),
    insertFiller: db.prepare<[number, number, Uint8Array]>('INSERT OR IGNORE INTO fillers VALUES (?, ?, ?)'),
    fillers: db.prepare<[number], { byteStart: number; bytes: Buffer }>(
      'SELECT byte_start AS byteStart, bytes FROM fillers WHERE source_id = ? ORDER BY byte_start',
    ),
  };
}
