import { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';
import type { Connection } from './database.ts';
import { sniffBytes } from './imageSize.ts';
import { type Payload, type PayloadEncoding, payloadText } from './payloads.ts';
import type { AssetInfo, AssetPlace } from './types.ts';

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

/** Whose payloads: a message's content or a record. */
export type AssetOwner = 'content' | 'record';

/** Binary payloads, each content once. */
export class Assets {
  readonly #db: Connection;
  readonly #byOwner: ReturnType<typeof ownerStatements>;
  readonly #find;
  readonly #insert;
  readonly #get;

  constructor(db: Connection) {
    this.#db = db;
    this.#byOwner = ownerStatements(db);
    this.#find = db.prepare<[Buffer], number>('SELECT id FROM assets WHERE hash = ?').pluck();
    this.#insert = db.prepare<[Buffer, string, number, number | null, number | null, Buffer]>(
      'INSERT INTO assets (hash, mime, size, width, height, bytes) VALUES (?, ?, ?, ?, ?, ?)',
    );
    this.#get = db.prepare<[Buffer], AssetRow & { readonly bytes: Buffer }>(
      'SELECT hash, mime, size, width, height, bytes FROM assets WHERE hash = ?',
    );
  }

  /** Stores payloads as belonging to a content or a record. */
  attach(owner: AssetOwner, ownerId: number, payloads: readonly Payload[]): void {
    for (const payload of payloads) {
      const { start, length, encoding } = payload;
      this.#byOwner[owner].attach.run(ownerId, start, length, encoding, this.#put(payload));
    }
  }

  /** The payloads' texts with their places, in order: what puts an owner's text together again. */
  texts(owner: AssetOwner, ownerId: number): { readonly start: number; readonly text: string }[] {
    return this.#byOwner[owner].payloads
      .all(ownerId)
      .map(({ start, encoding, bytes }) => ({ start, text: payloadText(bytes, encoding) }));
  }

  /** Where a content's payloads stand, without their bytes. */
  places(contentId: number): readonly AssetPlace[] {
    return this.#byOwner.content.places
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

function ownerStatements(db: Connection) {
  const of = (owner: AssetOwner) => {
    const table = `${owner}_assets`;
    const id = `${owner}_id`;
    return {
      attach: db.prepare<[number, number, number, string, number]>(
        `INSERT INTO ${table} (${id}, start, length, encoding, asset_id) VALUES (?, ?, ?, ?, ?)`,
      ),
      payloads: db.prepare<[number], PayloadRow>(
        `SELECT p.start, p.encoding, a.bytes FROM ${table} p JOIN assets a ON a.id = p.asset_id WHERE p.${id} = ? ORDER BY p.start`,
      ),
      places: db.prepare<[number], PlaceRow>(
        `SELECT p.start, p.length, p.encoding, a.hash, a.mime, a.size, a.width, a.height FROM ${table} p
         JOIN assets a ON a.id = p.asset_id WHERE p.${id} = ? ORDER BY p.start`,
      ),
    };
  };
  return { content: of('content'), record: of('record') };
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
