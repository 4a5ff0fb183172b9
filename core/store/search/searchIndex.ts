// The full-text index, kept behind the messages: nothing is indexed while a file is imported. A content is indexed once
// for all messages that share it. A page of messages is indexed when it is in search_pages; triggers take it out
// again when the page changes, and note contents that are deleted: their words are taken out by the same job. So whatever
// is done to messages, what is left to be done can be read from the tables, and nothing that is gone can be found.

import { hasFailed } from '../../model/failure.ts';
import type { MessageFacts, MessageMeta } from '../../model/message.ts';
import { FACTS_VERSION } from '../../model/readMessage.ts';
import { ftsExpression } from '../../search/ftsExpression.ts';
import { indexEntry, toolsOf } from '../../search/messageText.ts';
import { asOneWrite, type Connection } from '../database.ts';
import { DamagedContentError, readStored } from '../library/storeProblem.ts';
import { FactsUnpacker } from '../transcript/factsCodec.ts';
import { packMarks } from './searchMarks.ts';

/** Rises when other words are to be found in the same texts. The facts that texts are read by count too. */
const WORDS_VERSION = 2;
const VERSION = `${WORDS_VERSION}.${FACTS_VERSION}`;

/** Text indexed in one transaction: some 30 ms during which nobody else can write. Unit: characters. */
const SLICE_CHARS = 400_000;
/** Contents whose words are taken out in one transaction. */
const GONE_AT_ONCE = 50;
const IS_ERROR = ftsExpression({ kind: 'tag', tag: 'is', value: 'error', prefix: false });
/** What is found of a single message. Unit: characters. */
const MESSAGE_CHARS = 8_000_000;

/** How much of the library can be searched. Unit: messages. */
export interface SearchCoverage {
  readonly indexed: number;
  readonly total: number;
  /** Messages so long that only their first 8 million characters can be found. */
  readonly cut: number;
}

interface OpenPage {
  readonly id: number;
  readonly transcript: number;
  readonly first: number;
  readonly count: number;
  readonly facts: string;
  readonly meta: string;
}

interface PageMessage {
  readonly idx: number;
  readonly contentId: number;
  readonly done: number;
}

/** Fills the index. */
export class SearchIndex {
  readonly #db: Connection;
  readonly #statements: ReturnType<typeof indexStatements>;

  constructor(db: Connection) {
    this.#db = db;
    this.#statements = indexStatements(db);
  }

  /** Whether anything is left to be indexed. */
  any(): boolean {
    const { next, anyGone } = this.#statements;
    return this.#isOutdated() || next.get(FACTS_VERSION) !== undefined || anyGone.get() !== undefined;
  }

  /** Indexes a slice as one transaction; false if nothing is left. */
  step(): boolean {
    if (!this.any()) return false;
    asOneWrite(this.#db, () => {
      if (this.#isOutdated()) this.#clear();
      const id = this.#statements.next.get(FACTS_VERSION);
      if (id === undefined) this.#forgetGone();
      else this.#indexPage(this.#page(id));
    });
    return true;
  }

  #page(id: number): OpenPage {
    const page = this.#statements.page.get(id);
    if (page === undefined) throw new DamagedContentError(`page ${id} of its messages is not where its index says`);
    return page;
  }

  #forgetGone(): void {
    for (const contentId of this.#statements.gone.all(GONE_AT_ONCE)) {
      this.#statements.forget.run(contentId);
      this.#statements.notGone.run(contentId);
    }
  }

  coverage(): SearchCoverage {
    const { indexed, cut } = this.#isOutdated() ? { indexed: 0, cut: 0 } : this.#indexed();
    return { indexed, cut, total: this.#statements.total.get() ?? 0 };
  }

  #indexed() {
    return this.#statements.indexed.get() ?? { indexed: 0, cut: 0 };
  }

  #isOutdated(): boolean {
    return this.#statements.version.get() !== VERSION;
  }

  #clear(): void {
    this.#db.exec(
      `INSERT INTO search (search) VALUES ('delete-all'); DELETE FROM search_pages; DELETE FROM search_cut; DELETE FROM search_gone;
      INSERT OR IGNORE INTO search_todo (page_id) SELECT id FROM message_pages`,
    );
    this.#statements.setVersion.run(VERSION);
  }

  #indexPage(page: OpenPage): void {
    const facts = new FactsUnpacker().unpack(page.facts);
    const metas: MessageMeta[] = readStored(page.meta);
    const toolOf = this.#callNames(page, facts);
    let chars = 0;
    for (const { idx, contentId, done } of this.#statements.messages.all(
      page.transcript,
      page.first,
      page.first + page.count,
    )) {
      const [own, meta = {}] = [facts[idx - page.first]!, metas[idx - page.first]];
      if (done === 1 && !this.#lacksFailure(contentId, own, meta)) continue;
      if (chars >= SLICE_CHARS) return;
      chars += this.#indexContent(contentId, own, meta, done === 1, toolOf);
    }
    const { models, marks } = packMarks(metas);
    const { id, transcript, first, count } = page;
    this.#statements.finishPage.run(id, transcript, first, count, models, marks);
    this.#statements.notToDo.run(id);
  }

  /** A record that came later says that a call failed, whose result was indexed before. */
  #lacksFailure(contentId: number, { parts }: MessageFacts, meta: MessageMeta): boolean {
    const isBeside = parts.some((part) => part.isError !== true && hasFailed(part, meta));
    return isBeside && this.#statements.saysError.get(IS_ERROR, contentId) === undefined;
  }

  /** The number of characters it took. */
  #indexContent(
    contentId: number,
    facts: MessageFacts,
    meta: MessageMeta,
    isKnown: boolean,
    toolOf: (callId: string) => string | undefined,
  ): number {
    // Without its binary payloads: nobody searches for base64, and the JSON around them is whole.
    const json = this.#statements.text.get(contentId);
    if (json === undefined) throw new DamagedContentError(`content ${contentId} is missing in the library`);
    const { text, cut } = indexEntry(readStored(json), facts, meta, toolsOf(facts, toolOf), MESSAGE_CHARS);
    // Its number was another content's, whose words are still there.
    if (this.#statements.notGone.run(contentId).changes > 0 || isKnown) this.#statements.forget.run(contentId);
    this.#statements.insert.run(contentId, text);
    if (cut) this.#statements.noteCut.run(contentId);
    return json.length;
  }

  /** Names of tools by the ids of their calls: in the page, and in the one before it if that is asked for. */
  #callNames({ transcript, first }: OpenPage, facts: readonly MessageFacts[]): (callId: string) => string | undefined {
    const names = callNames(facts);
    let before: ReadonlyMap<string, string> | null = null;
    return (callId) => {
      const here = names.get(callId);
      if (here !== undefined) return here;
      if (before === null) {
        const packed = this.#statements.factsBefore.get(transcript, first);
        before = packed === undefined ? new Map() : callNames(new FactsUnpacker().unpack(packed));
      }
      return before.get(callId);
    };
  }
}

function callNames(all: readonly MessageFacts[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const { parts } of all) {
    for (const { kind, callId, name } of parts) {
      if (kind === 'tool_call' && callId && name) names.set(callId, name);
    }
  }
  return names;
}

function indexStatements(db: Connection) {
  return {
    version: db.prepare<[], string>('SELECT version FROM search_state').pluck(),
    setVersion: db.prepare<[string]>('INSERT OR REPLACE INTO search_state (id, version) VALUES (1, ?)'),
    // The newest first: what was imported just now is what somebody looks for. Pages whose facts an older version read
    // wait until they are read again.
    next: db
      .prepare<[number], number>(
        `SELECT p.id FROM search_todo s CROSS JOIN message_pages p ON p.id = s.page_id
         CROSS JOIN transcripts t ON t.id = p.transcript_id
         WHERE p.facts_version = ? AND t.removed = 0 ORDER BY s.page_id DESC LIMIT 1`,
      )
      .pluck(),
    page: db.prepare<[number], OpenPage>(
      'SELECT id, transcript_id AS transcript, first, count, facts, meta FROM message_pages WHERE id = ?',
    ),
    factsBefore: db
      .prepare<[number, number], string>(
        'SELECT facts FROM message_pages WHERE transcript_id = ? AND first < ? ORDER BY first DESC LIMIT 1',
      )
      .pluck(),
    messages: db.prepare<[number, number, number], PageMessage>(
      `SELECT idx, content_id AS contentId, EXISTS (SELECT 1 FROM search_docsize d WHERE d.id = content_id)
       AND NOT EXISTS (SELECT 1 FROM search_gone g WHERE g.content_id = messages.content_id) AS done
       FROM messages WHERE transcript_id = ? AND idx >= ? AND idx < ? ORDER BY idx`,
    ),
    text: db.prepare<[number], string>('SELECT text FROM contents WHERE id = ?').pluck(),
    insert: db.prepare<[number, string]>('INSERT INTO search (rowid, text) VALUES (?, ?)'),
    anyGone: db.prepare<[], number>('SELECT 1 FROM search_gone LIMIT 1').pluck(),
    gone: db.prepare<[number], number>('SELECT content_id FROM search_gone LIMIT ?').pluck(),
    notGone: db.prepare<[number]>('DELETE FROM search_gone WHERE content_id = ?'),
    // A number bound as it is would be floating point: FTS5 finds its row only by going through all.
    forget: db.prepare<[number]>('DELETE FROM search WHERE rowid = CAST(? AS INTEGER)'),
    saysError: db
      .prepare<[string, number], number>('SELECT 1 FROM search WHERE search MATCH ? AND rowid = CAST(? AS INTEGER)')
      .pluck(),
    noteCut: db.prepare<[number]>('INSERT OR IGNORE INTO search_cut (content_id) VALUES (?)'),
    finishPage: db.prepare<[number, number, number, number, string, Uint8Array]>(
      'INSERT INTO search_pages (page_id, transcript_id, first, count, models, marks) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    notToDo: db.prepare<[number]>('DELETE FROM search_todo WHERE page_id = ?'),
    total: db.prepare<[], number>('SELECT coalesce(sum(messages), 0) FROM transcripts WHERE removed = 0').pluck(),
    indexed: db.prepare<[], { readonly indexed: number; readonly cut: number }>(
      `SELECT coalesce(sum(s.count), 0) AS indexed, (SELECT count(*) FROM search_cut) AS cut
       FROM search_pages s JOIN transcripts t ON t.id = s.transcript_id WHERE t.removed = 0`,
    ),
  };
}
