import type { Buffer } from 'node:buffer';
import type { MessageMeta } from '../../model/message.ts';
import { FACTS_VERSION } from '../../model/readMessage.ts';
import type { Origin } from '../../model/transcript.ts';
import { isJsonText } from '../../util/json/index.ts';
import type { Connection } from '../database.ts';
import { DamagedContentError, readStored } from '../library/storeProblem.ts';
import type { Assets } from './assets.ts';
import { arePackedFacts } from './factsCodec.ts';
import { type PageContent, packPage, unpackPageOrigins } from './messagePage.ts';
import { type Payload, restoreAt } from './payloads.ts';

/** A message ready to be written. */
export interface PreparedMessage {
  readonly transcript: number;
  readonly idx: number;
  /** SHA-256 of the exact text. */
  readonly hash: Buffer;
  readonly rest: string;
  readonly payloads: readonly Payload[];
}

/** A page's place, and the number of parts of its messages (32-bit little-endian). */
export interface PageHead {
  readonly id: number;
  readonly first: number;
  readonly count: number;
  readonly partCounts: Buffer;
}

interface TextRow {
  readonly contentId: number;
  readonly payloads: number;
  readonly text: string;
}

/** Messages: their exact texts by content, and the pages with everything else. */
export class Messages {
  readonly #assets: Assets;
  readonly #statements: ReturnType<typeof messageStatements>;

  constructor(db: Connection, assets: Assets) {
    this.#assets = assets;
    this.#statements = messageStatements(db);
  }

  /** Whether every text of a transcript is JSON, and its facts are facts. Reads all of them. */
  areWhole(transcript: number): boolean {
    for (const { text } of this.#statements.texts.iterate(transcript, 0, Number.MAX_SAFE_INTEGER)) {
      if (!isJsonText(text)) return false;
    }
    const pages = this.#statements.pageHeads.all(transcript, 0);
    return pages.every(({ id }) => areFactsWhole(this.#statements.pageFacts.get(id)));
  }

  /** Writes a message; the id of its content, which may have been there before. */
  insert(message: PreparedMessage): number {
    const contentId = this.#content(message);
    this.#statements.insertMessage.run(message.transcript, message.idx, contentId);
    return contentId;
  }

  /** The content with this hash; null if there is none. */
  findContent(hash: Buffer): number | null {
    return this.#statements.findContent.get(hash) ?? null;
  }

  /** Gives a message another content; the id of that one. The old content stays, though nobody may use it any more. */
  replace(message: PreparedMessage): number {
    const contentId = this.#content(message);
    this.#statements.replaceMessage.run(contentId, message.transcript, message.idx);
    return contentId;
  }

  /** Whether any message has this content. */
  isUsed(contentId: number): boolean {
    return this.#statements.isUsed.get(contentId) !== undefined;
  }

  /** Deletes a content; the number of binary payloads it had. */
  deleteContent(contentId: number): number {
    return this.#statements.deleteContent.get(contentId) ?? 0;
  }

  #content(message: PreparedMessage): number {
    const { findContent, insertContent } = this.#statements;
    const { payloads } = message;
    const inserted = insertContent.run(message.hash, payloads.length, message.rest);
    const isNew = inserted.changes === 1;
    const contentId = isNew ? Number(inserted.lastInsertRowid) : findContent.get(message.hash);
    if (contentId === undefined) throw new Error('a content was neither new nor there');
    if (isNew) this.#assets.attachToContent(contentId, payloads);
    return contentId;
  }

  insertPage(transcript: number, content: PageContent): void {
    const page = packPage(content);
    const { first, count, partCounts, facts, meta, origins, stats } = page;
    this.#statements.insertPage.run(
      ...([transcript, first, count, partCounts, facts, meta, origins, FACTS_VERSION, stats] as const),
    );
  }

  /** Exact texts from `from` on: at most `limit`, fewer once `maxChars` is passed, at least one if there is one. */
  texts(transcript: number, from: number, limit: number, maxChars: number): string[] {
    const texts: string[] = [];
    let chars = 0;
    for (const row of this.#statements.texts.iterate(transcript, from, from + limit)) {
      const text = row.payloads === 0 ? row.text : this.#restore(row);
      texts.push(text);
      chars += text.length;
      if (chars >= maxChars) break;
    }
    return texts;
  }

  /** The exact text of a content. Throws if there is none: its users keep it alive. */
  contentText(contentId: number): string {
    const row = this.#statements.content.get(contentId);
    if (row === undefined) throw new DamagedContentError(`content ${contentId} is missing in the library`);
    return row.payloads === 0 ? row.text : this.#restore(row);
  }

  /** Pages of a transcript that begin at or after message `from`. */
  pageHeads(transcript: number, from: number): readonly PageHead[] {
    return this.#statements.pageHeads.all(transcript, from);
  }

  /** A page's facts, packed; null if the page is gone, as its meta and origins then are. */
  pageFacts(pageId: number): string | null {
    return this.#statements.pageFacts.get(pageId) ?? null;
  }

  pageMeta(pageId: number): MessageMeta[] | null {
    const meta = this.#statements.pageMeta.get(pageId);
    return meta === undefined ? null : readStored(meta);
  }

  /** False if no page of the transcript records usage. Reads no more than the words of its metas. */
  mayRecordUsage(transcript: number): boolean {
    return this.#statements.usage.get(transcript) !== undefined;
  }

  pageOrigins(pageId: number): Origin[][] | null {
    const origins = this.#statements.pageOrigins.get(pageId);
    return origins === undefined ? null : unpackPageOrigins(origins);
  }

  /** The content of a message: its id and hash; null if there is no such message. */
  contentOf(transcript: number, idx: number): { readonly id: number; readonly hash: Buffer } | null {
    return this.#statements.contentOf.get(transcript, idx) ?? null;
  }

  // Reading the payloads needs no second read of the row: iteration and this query use different statements.
  #restore(row: TextRow): string {
    return restoreAt(row.text, this.#assets.contentTexts(row.contentId));
  }
}

function areFactsWhole(packed: string | undefined): boolean {
  try {
    return packed !== undefined && arePackedFacts(packed);
  } catch (error) {
    if (error instanceof DamagedContentError) return false;
    throw error;
  }
}

function messageStatements(db: Connection) {
  return {
    findContent: db.prepare<[Buffer], number>('SELECT id FROM contents WHERE hash = ?').pluck(),
    insertContent: db.prepare<[Buffer, number, string]>(
      'INSERT INTO contents (hash, payloads, text) VALUES (?, ?, ?) ON CONFLICT (hash) DO NOTHING',
    ),
    insertMessage: db.prepare<[number, number, number]>(
      'INSERT INTO messages (transcript_id, idx, content_id) VALUES (?, ?, ?)',
    ),
    replaceMessage: db.prepare<[number, number, number]>(
      'UPDATE messages SET content_id = ? WHERE transcript_id = ? AND idx = ?',
    ),
    isUsed: db.prepare<[number], number>('SELECT 1 FROM messages WHERE content_id = ? LIMIT 1').pluck(),
    deleteContent: db.prepare<[number], number>('DELETE FROM contents WHERE id = ? RETURNING payloads').pluck(),
    insertPage: db.prepare<[number, number, number, Uint8Array, string, string, string, number, string | null]>(
      `INSERT INTO message_pages (transcript_id, first, count, part_counts, facts, meta, origins, facts_version, stats)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    texts: db.prepare<[number, number, number], TextRow>(
      `SELECT c.id AS contentId, c.payloads, c.text FROM messages m JOIN contents c ON c.id = m.content_id
       WHERE m.transcript_id = ? AND m.idx >= ? AND m.idx < ? ORDER BY m.idx`,
    ),
    content: db.prepare<[number], TextRow>('SELECT id AS contentId, payloads, text FROM contents WHERE id = ?'),
    contentOf: db.prepare<[number, number], { readonly id: number; readonly hash: Buffer }>(
      `SELECT c.id, c.hash FROM messages m JOIN contents c ON c.id = m.content_id WHERE m.transcript_id = ? AND m.idx = ?`,
    ),
    pageHeads: db.prepare<[number, number], PageHead>(
      `SELECT id, first, count, part_counts AS partCounts FROM message_pages
       WHERE transcript_id = ? AND first >= ? ORDER BY first`,
    ),
    pageFacts: db.prepare<[number], string>('SELECT facts FROM message_pages WHERE id = ?').pluck(),
    pageMeta: db.prepare<[number], string>('SELECT meta FROM message_pages WHERE id = ?').pluck(),
    usage: db
      .prepare<[number], number>(
        `SELECT 1 FROM message_pages WHERE transcript_id = ? AND instr(meta, '"usage"') > 0 LIMIT 1`,
      )
      .pluck(),
    pageOrigins: db.prepare<[number], string>('SELECT origins FROM message_pages WHERE id = ?').pluck(),
  };
}
