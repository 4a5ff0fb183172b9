import { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';
import { sniffBytes } from '../../util/imageSize.ts';
import type { Connection } from '../database.ts';
import type { AssetInfo, AssetPlace } from '../types.ts';
import { type Payload, type PayloadEncoding, payloadText } from './payloads.ts';

interface AssetRow {
  readonly hash: Buffer;
  readonly mime: string;
  readonly size: number;
  readonly width: number | null;
  readonly height: number | null;
}

interface PlaceRow extends AssetRow {
  readonly start: number;
  readonly length: number;
  readonly encoding: PayloadEncoding;
}

interface PayloadRow {
  readonly start: number;
  readonly encoding: PayloadEncoding;
  readonly bytes: Buffer;
}

/** A stretch of a text that was taken out, and where it is in the exact text. */
export interface PlacedText {
  readonly start: number;
  readonly text: string;
}

/** Binary payloads, each content once. */
export class Assets {
  readonly #db: Connection;
  readonly #places: ReturnType<typeof placeStatements>;
  readonly #find;
  readonly #insert;
  readonly #get;

  constructor(db: Connection) {
    this.#db = db;
    this.#places = placeStatements(db);
    this.#find = db.prepare<[Buffer], number>('SELECT id FROM assets WHERE hash = ?').pluck();
    this.#insert = db.prepare<[Buffer, string, number, number | null, number | null, Buffer]>(
      'INSERT INTO assets (hash, mime, size, width, height, bytes) VALUES (?, ?, ?, ?, ?, ?)',
    );
    this.#get = db.prepare<[Buffer], AssetRow & { readonly bytes: Buffer }>(
      'SELECT hash, mime, size, width, height, bytes FROM assets WHERE hash = ?',
    );
  }

  /** Stores payloads as standing in a content. */
  attachToContent(contentId: number, payloads: readonly Payload[]): void {
    for (const payload of payloads) {
      const { start, length, encoding } = payload;
      this.#places.attachToContent.run(contentId, start, length, encoding, this.#put(payload));
    }
  }

  /** Stores payloads as standing in the record of a source that begins at a byte. */
  attachToRecord(source: number, byteStart: number, payloads: readonly Payload[]): void {
    for (const payload of payloads) {
      const { start, length, encoding } = payload;
      this.#places.attachToRecord.run(source, byteStart, start, length, encoding, this.#put(payload));
    }
  }

  /** The texts of a content's payloads with their places, in order: what puts it together again. */
  contentTexts(contentId: number): PlacedText[] {
    return this.#places.inContent.all(contentId).map(placedText);
  }

  /** As contentTexts, of a record. */
  recordTexts(source: number, byteStart: number): PlacedText[] {
    return this.#places.inRecord.all(source, byteStart).map(placedText);
  }

  /** Where a content's payloads stand, without their bytes. */
  places(contentId: number): readonly AssetPlace[] {
    return this.#places.ofContent
      .all(contentId)
      .map((row) => ({ asset: infoOf(row), start: row.start, end: row.start + row.length }));
  }

  /** A payload by its hexadecimal hash, or null. */
  get(id: string): { readonly info: AssetInfo; readonly data: Uint8Array } | null {
    const row = this.#get.get(Buffer.from(id, 'hex'));
    return row === undefined ? null : { info: infoOf(row), data: row.bytes };
  }

  /** Deletes what no content and no record uses. */
  sweep(): void {
    this.#db.exec(`DELETE FROM assets WHERE NOT EXISTS (SELECT 1 FROM content_assets WHERE asset_id = assets.id)
      AND NOT EXISTS (SELECT 1 FROM record_assets WHERE asset_id = assets.id)`);
  }

  #put(payload: Payload): number {
    const key = hash('sha256', payload.bytes, 'buffer');
    const known = this.#find.get(key);
    if (known !== undefined) return known;
    const sniffed = sniffBytes(payload.bytes);
    const mime = sniffed.mime ?? payload.mime ?? 'application/octet-stream';
    const { bytes } = payload;
    return Number(this.#insert.run(key, mime, bytes.length, sniffed.width, sniffed.height, bytes).lastInsertRowid);
  }
}

function placeStatements(db: Connection) {
  const joined = (columns: string, table: string, where: string) =>
    `SELECT p.start, p.encoding, ${columns} FROM ${table} p JOIN assets a ON a.id = p.asset_id WHERE ${where} ORDER BY p.start`;
  return {
    attachToContent: db.prepare<[number, number, number, string, number]>(
      'INSERT INTO content_assets (content_id, start, length, encoding, asset_id) VALUES (?, ?, ?, ?, ?)',
    ),
    attachToRecord: db.prepare<[number, number, number, number, string, number]>(
      'INSERT INTO record_assets (source_id, byte_start, start, length, encoding, asset_id) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    inContent: db.prepare<[number], PayloadRow>(joined('a.bytes', 'content_assets', 'p.content_id = ?')),
    inRecord: db.prepare<[number, number], PayloadRow>(
      joined('a.bytes', 'record_assets', 'p.source_id = ? AND p.byte_start = ?'),
    ),
    ofContent: db.prepare<[number], PlaceRow>(
      joined('p.length, a.hash, a.mime, a.size, a.width, a.height', 'content_assets', 'p.content_id = ?'),
    ),
  };
}

function placedText({ start, encoding, bytes }: PayloadRow): PlacedText {
  return { start, text: payloadText(bytes, encoding) };
}

function infoOf(row: AssetRow): AssetInfo {
  return {
    id: row.hash.toString('hex'),
    mime: row.mime,
    bytes: row.size,
    width: row.width,
    height: row.height,
  };
}
