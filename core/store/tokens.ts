import { Buffer } from 'node:buffer';
import type { Connection } from './database.ts';
import type { PartTokens, TokenTotals } from './types.ts';

/** Counts of the parts of a run of messages, flat. */
export interface TokenPage {
  readonly first: number;
  readonly count: number;
  readonly counts: PartTokens;
}

/** Token counts: by content, so that nothing is counted twice, and packed by transcript, for reading. */
export class Tokens {
  readonly #statements: ReturnType<typeof tokenStatements>;

  constructor(db: Connection) {
    this.#statements = tokenStatements(db);
  }

  /** Counts known for a content, in the order of its parts; null if it was not counted. */
  ofContent(tokenizer: string, contentId: number): PartTokens | null {
    const counts = this.#statements.get.get(tokenizer, contentId);
    return counts === undefined ? null : fromBlob(counts);
  }

  putContent(tokenizer: string, contentId: number, counts: PartTokens): void {
    this.#statements.put.run(tokenizer, contentId, toBlob(counts));
  }

  putPage(transcript: number, tokenizer: string, page: TokenPage): void {
    this.#statements.putPage.run(transcript, tokenizer, page.first, page.count, toBlob(page.counts));
  }

  /** Pages counted so far that begin at or after message `from`. */
  pages(transcript: number, tokenizer: string, from: number): readonly TokenPage[] {
    return this.#statements.pages
      .all(transcript, tokenizer, from)
      .map(({ first, count, counts }) => ({ first, count, counts: fromBlob(counts) }));
  }

  putTotals(transcript: number, totals: TokenTotals): void {
    const byCategory = JSON.stringify(totals.byCategory);
    this.#statements.putTotals.run(transcript, totals.tokenizer, totals.messages, byCategory);
  }

  /** Totals of all transcripts under a tokenizer, by public id. */
  totals(tokenizer: string): ReadonlyMap<string, TokenTotals> {
    const rows = this.#statements.totals.all(tokenizer);
    return new Map(
      rows.map(({ uid, messages, byCategory }) => [uid, { tokenizer, messages, byCategory: JSON.parse(byCategory) }]),
    );
  }
}

function tokenStatements(db: Connection) {
  return {
    get: db
      .prepare<[string, number], Buffer>('SELECT counts FROM token_counts WHERE tokenizer = ? AND content_id = ?')
      .pluck(),
    put: db.prepare<[string, number, Buffer]>('INSERT OR REPLACE INTO token_counts VALUES (?, ?, ?)'),
    putPage: db.prepare<[number, string, number, number, Buffer]>(
      'INSERT OR REPLACE INTO token_pages VALUES (?, ?, ?, ?, ?)',
    ),
    pages: db.prepare<[number, string, number], { first: number; count: number; counts: Buffer }>(
      `SELECT first, count, counts FROM token_pages
       WHERE transcript_id = ? AND tokenizer = ? AND first >= ? ORDER BY first`,
    ),
    putTotals: db.prepare<[number, string, number, string]>('INSERT OR REPLACE INTO token_totals VALUES (?, ?, ?, ?)'),
    totals: db.prepare<[string], { uid: string; messages: number; byCategory: string }>(
      `SELECT t.uid, k.messages, k.by_category AS byCategory FROM token_totals k
       JOIN transcripts t ON t.id = k.transcript_id WHERE k.tokenizer = ?`,
    ),
  };
}

/** 32-bit little-endian numbers; every platform the program runs on is little-endian. */
export function toBlob(counts: Uint32Array): Buffer {
  return Buffer.from(counts.buffer, counts.byteOffset, counts.byteLength);
}

/** The numbers of a blob written by {@link toBlob}. Copies, because a blob need not be aligned. */
export function fromBlob(blob: Buffer): Uint32Array {
  const counts = new Uint32Array(blob.byteLength / 4);
  new Uint8Array(counts.buffer).set(blob);
  return counts;
}
