import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { CATEGORIES } from '../../model/category.ts';
import type { MessageFacts } from '../../model/message.ts';
import type { OverheadCounts, RecordedOverhead } from '../../model/overheadCounts.ts';
import { asOneWrite, type Connection } from '../database.ts';
import { readStored } from '../library/storeProblem.ts';
import type { PartTokens, StoredTotals, TokenTotals } from '../types.ts';

/** Counts of the parts of a run of messages, flat. */
export interface TokenPage {
  readonly first: number;
  readonly count: number;
  readonly counts: PartTokens;
}

/** Token counts: by content, so that nothing is counted twice, and packed by transcript, for reading. */
export class Tokens {
  readonly #db: Connection;
  readonly #statements: ReturnType<typeof tokenStatements>;

  constructor(db: Connection) {
    this.#db = db;
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

  /**
   * Keeps what the counts of so many messages come to as the provider counts, until they are counted again; null = no line
   * holds. Answers whether that is news.
   */
  putCalibrated(transcript: number, tokenizer: string, messages: number, tokens: number | null): boolean {
    const known = this.totalsOf(transcript, tokenizer);
    if (known === null || known.messages !== messages || known.calibrated === tokens) return false;
    return this.#statements.putCalibrated.run(tokens, transcript, tokenizer, messages).changes > 0;
  }

  /** Forgets a transcript's counts of messages from `at` on (whole pages); `factsOf` gives the facts of a span. */
  truncate(transcript: number, at: number, factsOf: (from: number, to: number) => readonly MessageFacts[]): void {
    const { totalsOf, pages, dropPages } = this.#statements;
    for (const { tokenizer, messages, byCategory } of totalsOf.all(transcript)) {
      if (messages <= at) continue;
      const dropped = pages.all(transcript, tokenizer, 0).filter(({ first, count }) => first + count > at);
      const end = dropped[0]?.first ?? messages;
      const counts = dropped.flatMap((page) => [...fromBlob(page.counts)]);
      const totals: number[] = readStored(byCategory);
      let next = 0;
      for (const { parts } of factsOf(end, messages)) {
        for (const { category } of parts) totals[CATEGORIES.indexOf(category)]! -= counts[next++] ?? 0;
      }
      dropPages.run(transcript, tokenizer, end);
      this.putTotals(transcript, { tokenizer, messages: end, byCategory: totals });
    }
  }

  /** Gives a transcript without counts those of another one with the same messages. */
  copy(from: number, to: number): void {
    this.#statements.copyPages.run(to, from);
    this.#statements.copyTotals.run(to, from);
  }

  /** Tokens of what is recorded beside messages; null = not counted. */
  beside(recorded: RecordedOverhead, tokenizer: string, images: string): OverheadCounts | null {
    return this.#statements.beside.get(`${tokenizer}+${images}`, overheadDigest(recorded)) ?? null;
  }

  /** Keeps such counts for as long as the transcript records this; nothing if it is gone. */
  putBeside(transcript: number, recorded: RecordedOverhead, tokenizer: string, images: string, counts: OverheadCounts) {
    const digest = overheadDigest(recorded);
    asOneWrite(this.#db, () => {
      if (this.#statements.useBeside.run(digest, transcript).changes === 0) return;
      this.#statements.putBeside.run(`${tokenizer}+${images}`, digest, counts.system, counts.tools);
    });
  }

  /** Whether what a transcript records apart from its messages is noted as its own: then its counts stay. */
  isBesideUsed(transcript: number, recorded: RecordedOverhead): boolean {
    return this.#statements.usedBeside.get(transcript) === overheadDigest(recorded);
  }

  /** Totals of one transcript under a tokenizer, by its row; null if it was not counted. */
  totalsOf(transcript: number, tokenizer: string): StoredTotals | null {
    const row = this.#statements.totalsOf.all(transcript).find((one) => one.tokenizer === tokenizer);
    return row === undefined ? null : { ...row, byCategory: readStored(row.byCategory) };
  }

  /** Totals of all transcripts under a tokenizer, by public id. */
  totals(tokenizer: string): ReadonlyMap<string, StoredTotals> {
    const rows = this.#statements.totals.all(tokenizer);
    return new Map(
      rows.map(({ uid, byCategory, ...row }) => [uid, { tokenizer, ...row, byCategory: readStored(byCategory) }]),
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
    putTotals: db.prepare<[number, string, number, string]>(
      'INSERT OR REPLACE INTO token_totals (transcript_id, tokenizer, messages, by_category) VALUES (?, ?, ?, ?)',
    ),
    putCalibrated: db.prepare<[number | null, number, string, number]>(
      'UPDATE token_totals SET calibrated = ? WHERE transcript_id = ? AND tokenizer = ? AND messages = ?',
    ),
    totalsOf: db.prepare<
      [number],
      { tokenizer: string; messages: number; byCategory: string; calibrated: number | null }
    >('SELECT tokenizer, messages, by_category AS byCategory, calibrated FROM token_totals WHERE transcript_id = ?'),
    dropPages: db.prepare<[number, string, number]>(
      'DELETE FROM token_pages WHERE transcript_id = ? AND tokenizer = ? AND first >= ?',
    ),
    copyPages: db.prepare<[number, number]>(
      `INSERT INTO token_pages (transcript_id, tokenizer, first, count, counts)
       SELECT ?, tokenizer, first, count, counts FROM token_pages WHERE transcript_id = ?`,
    ),
    copyTotals: db.prepare<[number, number]>(
      `INSERT INTO token_totals (transcript_id, tokenizer, messages, by_category)
       SELECT ?, tokenizer, messages, by_category FROM token_totals WHERE transcript_id = ?`,
    ),
    beside: db.prepare<[string, string], OverheadCounts>(
      'SELECT system, tools FROM beside_counts WHERE key = ? AND digest = ?',
    ),
    putBeside: db.prepare<[string, string, number, number]>('INSERT OR REPLACE INTO beside_counts VALUES (?, ?, ?, ?)'),
    useBeside: db.prepare<[string, number]>(
      `INSERT INTO beside_uses (transcript_id, digest) SELECT id, ? FROM transcripts WHERE id = ?
       ON CONFLICT (transcript_id) DO UPDATE SET digest = excluded.digest`,
    ),
    usedBeside: db.prepare<[number], string>('SELECT digest FROM beside_uses WHERE transcript_id = ?').pluck(),
    totals: db.prepare<[string], { uid: string; messages: number; byCategory: string; calibrated: number | null }>(
      `SELECT t.uid, k.messages, k.by_category AS byCategory, k.calibrated FROM token_totals k
       JOIN transcripts t ON t.id = k.transcript_id WHERE k.tokenizer = ?`,
    ),
  };
}

/** See migration 015. What is counted of deferred tools has changed since: they are kept separate. */
function overheadDigest({ systemJson, toolsJson }: RecordedOverhead): string {
  return createHash('sha256')
    .update(JSON.stringify([systemJson ?? null, toolsJson ?? null]))
    .update(toolsJson?.includes('"defer_loading"') === true ? 'without deferred' : '')
    .digest('hex');
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
