import type { Buffer } from 'node:buffer';
import type { MessageMeta } from '../../model/message.ts';
import { tagValue, tagWord } from '../../search/ftsExpression.ts';
import type { Connection } from '../database.ts';
import { readStored } from '../library/storeProblem.ts';
import { packMarks, type SearchMark, unpackMark } from './searchMarks.ts';

/** A message whose content matches. Internal ids. */
export interface SearchHit {
  readonly transcript: number;
  readonly idx: number;
  readonly content: number;
  /** How well it matches (BM25, less is better), where that was asked for. */
  readonly rank?: number;
}

/** What search needs of a transcript to choose and to order it. */
export interface SearchTranscript {
  readonly id: number;
  readonly uid: string;
  readonly format: string;
  /** JSON list. */
  readonly models: string;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly importedAt: string;
  readonly messages: number;
}

/** What a person knows a transcript by. */
export interface SearchTitle {
  readonly id: number;
  readonly title: string | null;
  readonly sessionId: string | null;
  readonly project: string | null;
  readonly cwd: string | null;
}

interface MarksPage {
  readonly first: number;
  readonly count: number;
  readonly models: readonly string[];
  readonly marks: Buffer;
}

/** A stretch of content ids, ends included. */
interface Run {
  readonly from: number;
  readonly to: number;
}

/** Gaps between a transcript's contents that are rather read over than begun again behind. */
const RUN_GAP = 2_000;

/** Reads the index. `match` is an expression of FTS5 as core/search makes it. */
export class SearchQueries {
  readonly #statements: ReturnType<typeof queryStatements>;

  constructor(db: Connection) {
    db.exec("CREATE VIRTUAL TABLE IF NOT EXISTS temp.search_words USING fts5vocab('main', 'search', 'row')");
    this.#statements = queryStatements(db);
  }

  /** The first `limit` messages that match, those imported last first. */
  hits(match: string, limit: number): readonly SearchHit[] {
    return this.#statements.hits.all(match, limit);
  }

  /** The same with their ranks. */
  rankedHits(match: string, limit: number): readonly SearchHit[] {
    return this.#statements.rankedHits.all(match, limit);
  }

  /** The messages of a transcript that match, in order. `runs` = where its contents are, see contentRuns. */
  hitsOf(match: string, transcript: number, runs: readonly Run[]): readonly SearchHit[] {
    const { hitsOf } = this.#statements;
    const found = runs.flatMap(({ from, to }) => hitsOf.all(match, from, to, transcript));
    return found.sort((a, b) => a.idx - b.idx);
  }

  /** Where a transcript's contents lie among all. */
  contentRuns(transcript: number): readonly Run[] {
    const ids = this.#statements.contents.all(transcript);
    const runs: { from: number; to: number }[] = [];
    for (const id of ids) {
      const last = runs.at(-1);
      if (last !== undefined && id - last.to <= RUN_GAP) last.to = id;
      else runs.push({ from: id, to: id });
    }
    return runs;
  }

  /** How many contents match, counted no further than `limit`. */
  count(match: string, limit: number): number {
    return this.#statements.count.get(match, limit) ?? 0;
  }

  /** How well contents match (BM25, less is better), by content. All that match are ranked: ask for rare words only. */
  ranks(match: string): ReadonlyMap<number, number> {
    return new Map(this.#statements.ranks.raw().all(match));
  }

  transcripts(): readonly SearchTranscript[] {
    return this.#statements.transcripts.all();
  }

  titles(): readonly SearchTitle[] {
    return this.#statements.titles.all();
  }

  /** What is known of a message beside its content; also of one that is not indexed yet. */
  marksOf(transcript: number): (idx: number) => SearchMark {
    let page: MarksPage | null = null;
    return (idx) => {
      if (page === null || idx < page.first || idx >= page.first + page.count) page = this.#marksPage(transcript, idx);
      return unpackMark(page, idx - page.first);
    };
  }

  /** All that is recorded of a message beside its content. */
  meta(transcript: number, idx: number): MessageMeta {
    const { first, metas } = this.#metas(transcript, idx);
    return metas[idx - first] ?? {};
  }

  /** A content's text without its binary payloads; null if it is gone by now. */
  text(content: number): string | null {
    return this.#statements.text.get(content) ?? null;
  }

  /** The tools that are in the index, in lower case. */
  tools(): readonly string[] {
    const first = tagWord('tool', '');
    return this.#statements.words.all(first, `${first}g`).map((word) => tagValue('tool', word));
  }

  #marksPage(transcript: number, idx: number): MarksPage {
    const row = this.#statements.marks.get(transcript, idx);
    if (row !== undefined && idx < row.first + row.count) return { ...row, models: readStored(row.models) };
    const { first, metas } = this.#metas(transcript, idx);
    const { models, marks } = packMarks(metas);
    return { first, count: metas.length, models: readStored(models), marks };
  }

  #metas(transcript: number, idx: number): { readonly first: number; readonly metas: readonly MessageMeta[] } {
    const page = this.#statements.metas.get(transcript, idx);
    if (page === undefined) throw new Error(`message ${idx} is missing in the library: was the transcript removed?`);
    return { first: page.first, metas: readStored(page.meta) };
  }
}

function queryStatements(db: Connection) {
  const hit = 'm.transcript_id AS transcript, m.idx, m.content_id AS content';
  // A new content may have the number of one whose words are still there.
  const isThere = 'NOT EXISTS (SELECT 1 FROM search_gone g WHERE g.content_id = s.rowid)';
  // What a branch or what-if shares with the transcript it left is found there, as long as that one is there.
  const isOwn = `(m.idx >= coalesce(json_extract(t.meta, '$.branchAt'), json_extract(t.meta, '$.whatIf.at'), 0) OR (
    NOT EXISTS (SELECT 1 FROM transcripts p
      WHERE p.source_id = t.source_id AND p.key = json_extract(t.meta, '$.branchOf') AND p.removed = 0)
    AND NOT EXISTS (SELECT 1 FROM transcripts p
      WHERE p.uid = json_extract(t.meta, '$.whatIf.parentId') AND p.removed = 0)))`;
  return {
    hits: db.prepare<[string, number], SearchHit>(
      `SELECT ${hit} FROM search s CROSS JOIN messages m ON m.content_id = s.rowid
       CROSS JOIN transcripts t ON t.id = m.transcript_id
       WHERE search MATCH ? AND t.removed = 0 AND ${isOwn} AND ${isThere} ORDER BY s.rowid DESC LIMIT ?`,
    ),
    rankedHits: db.prepare<[string, number], SearchHit>(
      `SELECT ${hit}, bm25(search) AS rank FROM search s CROSS JOIN messages m ON m.content_id = s.rowid
       CROSS JOIN transcripts t ON t.id = m.transcript_id
       WHERE search MATCH ? AND t.removed = 0 AND ${isOwn} AND ${isThere} ORDER BY s.rowid DESC LIMIT ?`,
    ),
    // Numbers are bound as floating point, with which FTS5 would not seek but read everything before.
    hitsOf: db.prepare<[string, number, number, number], SearchHit>(
      `SELECT ${hit} FROM search s CROSS JOIN messages m ON m.content_id = s.rowid
       WHERE search MATCH ? AND s.rowid BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER) AND m.transcript_id = ?
       AND ${isThere}`,
    ),
    contents: db
      .prepare<[number], number>('SELECT DISTINCT content_id FROM messages WHERE transcript_id = ? ORDER BY content_id')
      .pluck(),
    count: db
      .prepare<[string, number], number>('SELECT count(*) FROM (SELECT 1 FROM search WHERE search MATCH ? LIMIT ?)')
      .pluck(),
    ranks: db.prepare<[string], [number, number]>('SELECT rowid, bm25(search) FROM search WHERE search MATCH ?'),
    transcripts: db.prepare<[], SearchTranscript>(
      `SELECT id, uid, format, models, started_at AS startedAt, ended_at AS endedAt, imported_at AS importedAt, messages
       FROM transcripts WHERE removed = 0`,
    ),
    titles: db.prepare<[], SearchTitle>(
      `SELECT id, json_extract(meta, '$.title') AS title, json_extract(meta, '$.sessionId') AS sessionId,
       json_extract(meta, '$.project') AS project, json_extract(meta, '$.cwd') AS cwd FROM transcripts WHERE removed = 0`,
    ),
    marks: db.prepare<[number, number], { first: number; count: number; models: string; marks: Buffer }>(
      `SELECT first, count, models, marks FROM search_pages WHERE transcript_id = ? AND first <= ?
       ORDER BY first DESC LIMIT 1`,
    ),
    metas: db.prepare<[number, number], { first: number; meta: string }>(
      'SELECT first, meta FROM message_pages WHERE transcript_id = ? AND first <= ? ORDER BY first DESC LIMIT 1',
    ),
    text: db.prepare<[number], string>('SELECT text FROM contents WHERE id = ?').pluck(),
    words: db
      .prepare<[string, string], string>('SELECT term FROM temp.search_words WHERE term >= ? AND term < ?')
      .pluck(),
  };
}
