// What a reader may do to messages that are written already: go back and leave a branch, take a branch up again, amend.
// Rows are copied and moved by SQL, page by page; only the page that is cut is taken apart. Everything here runs inside
// the transaction of a batch.

import type { MessageFacts, MessageMeta } from '../../model/message.ts';
import type { Origin } from '../../model/transcript.ts';
import type { Connection } from '../database.ts';
import { type PageColumns, type PageContent, packPage, slicePage, unpackPage } from '../transcript/messagePage.ts';
import { addStats, NO_STATS, type PageStats, parseStats, statsOf } from '../transcript/pageStats.ts';
import type { Tokens } from '../transcript/tokens.ts';

/** What is written of a transcript, as its row and the next rows of it need it. */
export interface WrittenStats {
  readonly pages: PageStats;
  readonly events: number;
  /** First and last timestamp of its events. */
  readonly from: string | null;
  readonly to: string | null;
  readonly compactions: number;
  /** The `seq` of the next compaction and spawn. */
  readonly nextCompaction: number;
  readonly nextSpawn: number;
}

/** A content that lost a message, and the records that may be written as stretches of it. */
export interface Loosened {
  readonly contentId: number;
  readonly origins: readonly Origin[];
}

/** What of an amended message goes into its page. */
export interface AmendedMessage {
  readonly facts: MessageFacts;
  readonly meta: MessageMeta;
  readonly origins: readonly Origin[];
  /** Number of its binary payloads. */
  readonly payloads: number;
}

/** How much is written of a transcript: messages, and the numbers that the next event, compaction and spawn get. */
export interface Lengths {
  readonly messages: number;
  readonly events: number;
  readonly compactions: number;
  readonly spawns: number;
}

interface Page extends PageColumns {
  readonly id: number;
  readonly factsVersion: number;
}

/** Changes of written transcripts. */
export class Changes {
  readonly #tokens: Tokens;
  readonly #statements: ReturnType<typeof changeStatements>;

  constructor(db: Connection, tokens: Tokens) {
    this.#tokens = tokens;
    this.#statements = changeStatements(db);
  }

  /** Moves messages from `at` on, and what hangs on them, into `branch`, which is empty and gets a copy of the rest. */
  leave(transcript: number, branch: number, at: number): void {
    const { copyMessages, cutMessages, copyPages, copyCompactions, cutCompactions, copySpawns } = this.#statements;
    this.#forgetTokens(transcript, at);
    this.#tokens.copy(transcript, branch);
    copyMessages.run(branch, transcript, 0, Number.MAX_SAFE_INTEGER);
    cutMessages.run(transcript, at);
    copyPages.run(branch, transcript, 0, Number.MAX_SAFE_INTEGER);
    this.#cutPages(transcript, at);
    copyCompactions.run(branch, 0, transcript, -1, Number.MAX_SAFE_INTEGER);
    cutCompactions.run(transcript, at);
    copySpawns.run(branch, transcript);
    this.#moveEvents(transcript, branch, at);
  }

  /**
   * Gives `fork`, which is empty and belongs to no file, the messages before `at`, with what hangs on them. Nothing of
   * `transcript` changes.
   */
  fork(transcript: number, fork: number, at: number): void {
    const { copyMessages, copyPage, copyCompactions, cutUnsummed } = this.#statements;
    copyMessages.run(fork, transcript, 0, at);
    for (const page of this.#pages(transcript, 0, at)) {
      const { id, first, count, factsVersion } = page;
      if (first + count <= at) {
        copyPage.run(fork, `[${Array<string>(count).fill('[]').join(',')}]`, id);
        continue;
      }
      const content = slicePage(this.#unpack(transcript, page), 0, at);
      this.#insertPage(fork, { ...content, origins: content.facts.map(() => []) }, factsVersion);
    }
    this.#tokens.copy(transcript, fork);
    this.#tokens.truncate(fork, at, (from, to) =>
      this.#pages(transcript, from, to).flatMap((page) => slicePage(unpackPage(page, []), from, to).facts),
    );
    copyCompactions.run(fork, 0, transcript, -1, at);
    cutUnsummed.run(fork, at);
  }

  /** Appends messages [at, to) of `branch`, and its compactions there, to `transcript`, which has `at` messages. */
  resume(transcript: number, branch: number, at: number, to: number): void {
    const { copyMessages, copyPages, copyCompactions, nextCompaction } = this.#statements;
    copyMessages.run(transcript, branch, at, to);
    for (const page of this.#pages(branch, at, to)) {
      const end = page.first + page.count;
      if (page.first >= at && end <= to) copyPages.run(transcript, branch, page.first, end);
      else this.#insertPage(transcript, slicePage(this.#unpack(branch, page), at, to), page.factsVersion);
    }
    const base = (nextCompaction.get(transcript) ?? 0) - (this.#statements.firstCompaction.get(branch) ?? 0);
    copyCompactions.run(transcript, base, branch, at, to);
  }

  /** Events and problems of `branch` become those of `transcript`, as its last ones. */
  inherit(transcript: number, branch: number): void {
    const { countEvents, moveEvents, moveProblems } = this.#statements;
    moveEvents.run(transcript, countEvents.get(transcript) ?? 0, branch);
    moveProblems.run(transcript, branch);
  }

  /** Takes away what a transcript has beyond these lengths; the contents its messages had, which may be used elsewhere. */
  truncate(transcript: number, to: Lengths): readonly number[] {
    const { contentsFrom, cutMessages, cutEventsFrom, cutCompactionsFrom, cutSpawnsFrom } = this.#statements;
    const contents = contentsFrom.all(transcript, to.messages);
    if (contents.length > 0) {
      this.#forgetTokens(transcript, to.messages);
      cutMessages.run(transcript, to.messages);
      this.#cutPages(transcript, to.messages);
    }
    cutEventsFrom.run(transcript, to.events);
    cutCompactionsFrom.run(transcript, to.compactions);
    cutSpawnsFrom.run(transcript, to.spawns);
    return contents;
  }

  /** Deletes a transcript's rows at once; the contents that no message has any more. */
  drop(transcript: number): readonly Loosened[] {
    const loose = this.#statements.onlyHere.all(transcript, transcript);
    const loosened = loose.map(({ idx, contentId }) => ({ contentId, origins: this.origins(transcript, idx) }));
    this.#statements.dropTranscript.run(transcript);
    return loosened;
  }

  /** Puts an amended message into its page. Its content is not written here. */
  amendPage(transcript: number, idx: number, message: AmendedMessage): void {
    this.#forgetTokens(transcript, idx);
    const page = this.#pageAt(transcript, idx);
    const content = this.#unpack(transcript, page);
    const at = idx - page.first;
    this.#updatePage(page.id, {
      first: page.first,
      facts: content.facts.with(at, message.facts),
      metas: content.metas.with(at, message.meta),
      origins: content.origins.with(at, message.origins),
      payloads: content.payloads.with(at, message.payloads),
    });
  }

  /** The records of one message. */
  origins(transcript: number, idx: number): readonly Origin[] {
    const page = this.#pageAt(transcript, idx);
    return unpackPage(page, []).origins[idx - page.first] ?? [];
  }

  /** Notifies readers that what they read of the transcript is not what is there. */
  raiseRevision(transcript: number): void {
    this.#statements.raiseRevision.run(transcript);
  }

  /** What is written of a transcript. */
  stats(transcript: number): WrittenStats {
    const { eventStats, countCompactions, nextCompaction, nextSpawn } = this.#statements;
    const events = eventStats.get(transcript) ?? { events: 0, from: null, to: null };
    return {
      ...events,
      pages: this.pageStats(transcript),
      compactions: countCompactions.get(transcript) ?? 0,
      nextCompaction: nextCompaction.get(transcript) ?? 0,
      nextSpawn: nextSpawn.get(transcript) ?? 0,
    };
  }

  /** What is written of a transcript's messages. */
  pageStats(transcript: number): PageStats {
    return this.#statements.pageStats
      .all(transcript)
      .map(({ first, stats }): PageStats => parseStats(stats) ?? this.#readStats(transcript, first))
      .reduce(addStats, NO_STATS);
  }

  #readStats(transcript: number, first: number): PageStats {
    const { facts, metas, payloads } = this.#unpack(transcript, this.#pageAt(transcript, first));
    return statsOf(facts, metas, payloads);
  }

  #cutPages(transcript: number, at: number): void {
    const cut = at === 0 ? undefined : this.#pages(transcript, at - 1, at)[0];
    this.#statements.cutPages.run(transcript, at);
    if (cut === undefined || cut.first + cut.count <= at) return;
    this.#updatePage(cut.id, slicePage(this.#unpack(transcript, cut), 0, at));
  }

  /** Counts from message `at` on are of messages that change; those before stay. */
  #forgetTokens(transcript: number, at: number): void {
    this.#tokens.truncate(transcript, at, (from, to) =>
      this.#pages(transcript, from, to).flatMap((page) => slicePage(unpackPage(page, []), from, to).facts),
    );
  }

  #moveEvents(transcript: number, branch: number, at: number): void {
    const { eventsAbove, eventsFrom, renumberEvent } = this.#statements;
    const moved = eventsAbove.all(transcript, at);
    const first = moved[0];
    if (first === undefined) return;
    for (const [seq, before] of moved.entries()) renumberEvent.run(branch, seq, transcript, before);
    // Each number becomes smaller or stays, in order: none is taken.
    for (const [i, before] of eventsFrom.all(transcript, first).entries()) {
      renumberEvent.run(transcript, first + i, transcript, before);
    }
  }

  #pageAt(transcript: number, idx: number): Page {
    const page = this.#pages(transcript, idx, idx + 1)[0];
    if (page === undefined) throw new Error(`message ${idx} is in no page`);
    return page;
  }

  /** Pages that hold any of the messages [from, to). */
  #pages(transcript: number, from: number, to: number): readonly Page[] {
    return from < to ? this.#statements.pages.all({ transcript, from, to }) : [];
  }

  #unpack(transcript: number, page: Page): PageContent {
    return unpackPage(page, this.#statements.payloads.all(transcript, page.first, page.first + page.count));
  }

  // Facts keep the version they were read by: an older page is read again as a whole.
  #updatePage(id: number, content: PageContent): void {
    this.#statements.updatePage.run({ ...packPage(content), id });
  }

  #insertPage(transcript: number, content: PageContent, factsVersion: number): void {
    this.#statements.insertPage.run({ ...packPage(content), transcript, factsVersion });
  }
}

/** All columns of a table but the first named ones: a column added later is copied too. */
function columnsOf(db: Connection, table: string, but: readonly string[]): string {
  const names = db.prepare<[string], string>('SELECT name FROM pragma_table_info(?)').pluck().all(table);
  return names.filter((name) => !but.includes(name)).join(', ');
}

function changeStatements(db: Connection) {
  const page = columnsOf(db, 'message_pages', ['id', 'transcript_id']);
  const homeless = columnsOf(db, 'message_pages', ['id', 'transcript_id', 'origins']);
  const compaction = columnsOf(db, 'compactions', ['transcript_id', 'seq']);
  const spawn = columnsOf(db, 'spawns', ['transcript_id']);
  return {
    ...readStatements(db),
    copyMessages: db.prepare<[number, number, number, number]>(
      `INSERT INTO messages (transcript_id, idx, content_id)
       SELECT ?, idx, content_id FROM messages WHERE transcript_id = ? AND idx >= ? AND idx < ?`,
    ),
    cutMessages: db.prepare<[number, number]>('DELETE FROM messages WHERE transcript_id = ? AND idx >= ?'),
    copyPages: db.prepare<[number, number, number, number]>(
      `INSERT INTO message_pages (transcript_id, ${page})
       SELECT ?, ${page} FROM message_pages WHERE transcript_id = ? AND first >= ? AND first < ? ORDER BY first`,
    ),
    copyPage: db.prepare<[number, string, number]>(
      `INSERT INTO message_pages (transcript_id, origins, ${homeless}) SELECT ?, ?, ${homeless} FROM message_pages WHERE id = ?`,
    ),
    cutPages: db.prepare<[number, number]>('DELETE FROM message_pages WHERE transcript_id = ? AND first >= ?'),
    updatePage: db.prepare<PageColumns & { id: number }>(
      `UPDATE message_pages SET first = @first, count = @count, part_counts = @partCounts, facts = @facts, meta = @meta,
       origins = @origins, stats = @stats WHERE id = @id`,
    ),
    insertPage: db.prepare<PageColumns & { transcript: number; factsVersion: number }>(
      `INSERT INTO message_pages (transcript_id, first, count, part_counts, facts, meta, origins, facts_version, stats)
       VALUES (@transcript, @first, @count, @partCounts, @facts, @meta, @origins, @factsVersion, @stats)`,
    ),
    copyCompactions: db.prepare<[number, number, number, number, number]>(
      `INSERT INTO compactions (transcript_id, seq, ${compaction})
       SELECT ?, seq + ?, ${compaction} FROM compactions WHERE transcript_id = ? AND at > ? AND at <= ?`,
    ),
    // What was compacted before the fork, and summed up after it.
    cutUnsummed: db.prepare<[number, number]>('DELETE FROM compactions WHERE transcript_id = ? AND summary_index >= ?'),
    cutCompactions: db.prepare<[number, number]>('DELETE FROM compactions WHERE transcript_id = ? AND at > ?'),
    copySpawns: db.prepare<[number, number]>(
      `INSERT INTO spawns (transcript_id, ${spawn}) SELECT ?, ${spawn} FROM spawns WHERE transcript_id = ?`,
    ),
    renumberEvent: db.prepare<[number, number, number, number]>(
      'UPDATE events SET transcript_id = ?, seq = ? WHERE transcript_id = ? AND seq = ?',
    ),
    moveEvents: db.prepare<[number, number, number]>(
      'UPDATE events SET transcript_id = ?, seq = seq + ? WHERE transcript_id = ?',
    ),
    moveProblems: db.prepare<[number, number]>('UPDATE problems SET transcript_id = ? WHERE transcript_id = ?'),
    dropTranscript: db.prepare<[number]>('DELETE FROM transcripts WHERE id = ?'),
    cutEventsFrom: db.prepare<[number, number]>('DELETE FROM events WHERE transcript_id = ? AND seq >= ?'),
    cutCompactionsFrom: db.prepare<[number, number]>('DELETE FROM compactions WHERE transcript_id = ? AND seq >= ?'),
    cutSpawnsFrom: db.prepare<[number, number]>('DELETE FROM spawns WHERE transcript_id = ? AND seq >= ?'),
    raiseRevision: db.prepare<[number]>('UPDATE transcripts SET revision = revision + 1 WHERE id = ?'),
  };
}

function readStatements(db: Connection) {
  const pluck = <P extends unknown[]>(sql: string) => db.prepare<P, number>(sql).pluck();
  return {
    pages: db.prepare<{ transcript: number; from: number; to: number }, Page>(
      `SELECT id, first, count, part_counts AS partCounts, facts, meta, origins, stats, facts_version AS factsVersion
       FROM message_pages WHERE transcript_id = @transcript AND first < @to AND first + count > @from AND first >= coalesce(
         (SELECT max(first) FROM message_pages WHERE transcript_id = @transcript AND first <= @from), 0)
       ORDER BY first`,
    ),
    payloads: pluck<[number, number, number]>(
      `SELECT c.payloads FROM messages m JOIN contents c ON c.id = m.content_id
       WHERE m.transcript_id = ? AND m.idx >= ? AND m.idx < ? ORDER BY m.idx`,
    ),
    pageStats: db.prepare<[number], { readonly first: number; readonly stats: string | null }>(
      'SELECT first, stats FROM message_pages WHERE transcript_id = ? ORDER BY first',
    ),
    eventStats: db.prepare<[number], Pick<WrittenStats, 'events' | 'from' | 'to'>>(
      `SELECT count(*) AS events, min(timestamp) AS "from", max(timestamp) AS "to" FROM events WHERE transcript_id = ?`,
    ),
    countEvents: pluck<[number]>('SELECT count(*) FROM events WHERE transcript_id = ?'),
    eventsAbove: pluck<[number, number]>('SELECT seq FROM events WHERE transcript_id = ? AND at > ? ORDER BY seq'),
    eventsFrom: pluck<[number, number]>('SELECT seq FROM events WHERE transcript_id = ? AND seq >= ? ORDER BY seq'),
    countCompactions: pluck<[number]>('SELECT count(*) FROM compactions WHERE transcript_id = ?'),
    contentsFrom: pluck<[number, number]>(
      'SELECT DISTINCT content_id FROM messages WHERE transcript_id = ? AND idx >= ?',
    ),
    firstCompaction: pluck<[number]>('SELECT coalesce(min(seq), 0) FROM compactions WHERE transcript_id = ?'),
    nextCompaction: pluck<[number]>('SELECT coalesce(max(seq) + 1, 0) FROM compactions WHERE transcript_id = ?'),
    nextSpawn: pluck<[number]>('SELECT coalesce(max(seq) + 1, 0) FROM spawns WHERE transcript_id = ?'),
    onlyHere: db.prepare<[number, number], { readonly idx: number; readonly contentId: number }>(
      `SELECT min(m.idx) AS idx, m.content_id AS contentId FROM messages m WHERE m.transcript_id = ? AND NOT EXISTS (
         SELECT 1 FROM messages o WHERE o.content_id = m.content_id AND o.transcript_id <> ?) GROUP BY m.content_id`,
    ),
  };
}
