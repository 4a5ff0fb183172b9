// What is worked out of a transcript once it is imported: its first words, and whether it begins like another one. Tools
// copy a session's messages into a new file when it is resumed or forked; texts are stored once, so such a beginning is
// a run of equal content ids.

import type { MessageMeta } from '../../model/message.ts';
import { partText } from '../../model/partText.ts';
import { readMessage } from '../../model/readMessage.ts';
import { isBefore } from '../../util/instant.ts';
import { asOneWrite, type Connection } from '../database.ts';
import { readStored } from '../library/storeProblem.ts';
import type { Messages } from './messages.ts';

/** Transcripts derived in one transaction. */
const AT_ONCE = 50;
const FIRST_CHARS = 200;
/** Messages among which the first words are looked for. */
const FIRST_MESSAGES = 60;
/** Transcripts with the same first messages that are compared further. */
const CANDIDATES = 40;
const MOST_SAME = 5000;
/** How far the first messages are compared before too many candidates are given up. */
const DEPTH = 12;
/** Fewer equal messages than this are a common prompt, unless one of the two has no more. */
const LEAST_SHARED = 4;
/** Beyond this a transcript that only grew is not looked at again. */
const SETTLED_MESSAGES = 200;

interface StaleRow {
  readonly id: number;
  readonly source: number;
  readonly messages: number;
  readonly revision: number;
  /** 1 = a what-if: what it begins with is said of it already, and nothing continues with it. */
  readonly isWhatIf: number;
}

interface Other {
  readonly id: number;
  readonly messages: number;
  readonly endedAt: string | null;
  readonly shared: number;
}

/** The transcript that another one begins with, and with how many of its messages. */
interface Base {
  readonly id: number;
  readonly shared: number;
}

/** Fills the table `derived`. */
export class Derived {
  readonly #db: Connection;
  readonly #messages: Messages;
  readonly #statements: ReturnType<typeof derivedStatements>;

  constructor(db: Connection, messages: Messages) {
    this.#db = db;
    this.#messages = messages;
    this.#statements = derivedStatements(db);
  }

  /** Whether anything is to be derived. */
  any(): boolean {
    return this.#statements.stale.get(1) !== undefined;
  }

  /** Derives some transcripts as one transaction; false if there are none. */
  step(): boolean {
    if (!this.any()) return false;
    asOneWrite(this.#db, () => {
      for (const row of this.#statements.stale.all(AT_ONCE)) this.#derive(row);
    });
    return true;
  }

  /** Public ids of the transcripts that begin with all messages of this one. */
  continuedBy(uid: string): readonly string[] {
    return this.#statements.continuedBy.all(uid);
  }

  #derive(row: StaleRow): void {
    const { id, messages, revision } = row;
    const ended = this.#statements.endedAt.get(id) ?? null;
    let base: Base | null = null;
    for (const other of row.isWhatIf === 1 ? [] : this.#similar(row)) {
      if (!isWorthLinking(other.shared, messages, other.messages)) continue;
      if (isLater({ id, messages, endedAt: ended }, other)) {
        if (base === null || other.shared > base.shared) base = other;
      } else {
        this.#statements.rebase.run({ id: other.id, base: id, shared: other.shared });
      }
    }
    this.#statements.put.run(id, messages, revision, this.#firstText(id), base?.id ?? null, base?.shared ?? 0);
  }

  /** Transcripts of other files that begin with the same messages, with the number of those. */
  #similar({ id, source, messages }: StaleRow): readonly Other[] {
    const { contents, sameAt, other } = this.#statements;
    const first = contents.all(id, 0, DEPTH);
    let candidates: readonly number[] = [];
    for (const [idx, content] of first.entries()) {
      const same = sameAt.all(content, idx, id, source, MOST_SAME);
      const before = new Set(candidates);
      const next: readonly number[] = idx === 0 ? same : same.filter((one) => before.has(one));
      if (next.length === 0) break;
      candidates = next;
      if (next.length <= CANDIDATES) break;
    }
    // The newest: a session is resumed from one that is there.
    return candidates.slice(0, CANDIDATES).flatMap((candidate): Other[] => {
      const facts = other.get(candidate);
      if (facts === undefined) return [];
      return [{ ...facts, shared: this.#shared(id, candidate, Math.min(messages, facts.messages)) }];
    });
  }

  /** Length of the run of equal messages that two transcripts begin with. */
  #shared(a: number, b: number, most: number): number {
    for (let at = 0; at < most; at += 500) {
      const [one, two] = [this.#statements.contents.all(a, at, 500), this.#statements.contents.all(b, at, 500)];
      const differs = one.findIndex((content, i) => content !== two[i]);
      if (differs !== -1) return Math.min(most, at + differs);
    }
    return most;
  }

  /** The first words a person wrote, one line; null if there are none. */
  #firstText(id: number): string | null {
    const page = this.#statements.firstMetas.get(id);
    const metas: MessageMeta[] = page === undefined ? [] : readStored(page);
    for (const [i, meta] of metas.slice(0, FIRST_MESSAGES).entries()) {
      if (meta.injected === true || meta.compactSummary === true) continue;
      const [text] = this.#messages.texts(id, i, 1, 1);
      const words = text === undefined ? '' : describeUser(readStored(text));
      if (words !== '') return words;
    }
    return null;
  }
}

/** What a user message says first, one line; '' if it is none, or says nothing but what a client put into it. */
function describeUser(message: unknown): string {
  const { role, parts } = readMessage(message);
  if (role !== 'user') return '';
  for (const part of parts) {
    const words = part.kind === 'text' ? oneLine(partText(message, part)) : '';
    if (words !== '' && !words.startsWith('<')) return words;
  }
  return '';
}

function oneLine(text: string): string {
  const flat = text
    .slice(0, 4 * FIRST_CHARS)
    .replace(/\s+/g, ' ')
    .trim();
  return flat.length > FIRST_CHARS ? `${flat.slice(0, FIRST_CHARS - 1)}…` : flat;
}

/** A beginning that says more than that two sessions had the same prompt. */
function isWorthLinking(shared: number, a: number, b: number): boolean {
  const least = Math.min(a, b);
  if (shared === least) return shared >= 2;
  return shared >= LEAST_SHARED && shared * 2 >= least;
}

/** Whether `one` continues with or copies `other`: it is longer than their beginning, or ended or was imported later. */
function isLater(one: Omit<Other, 'shared'>, other: Other): boolean {
  const [oneIsAll, otherIsAll] = [other.shared === one.messages, other.shared === other.messages];
  if (oneIsAll !== otherIsAll) return otherIsAll;
  if (one.endedAt !== other.endedAt && one.endedAt !== null && other.endedAt !== null) {
    return isBefore(other.endedAt, one.endedAt);
  }
  return one.id > other.id;
}

function derivedStatements(db: Connection) {
  return {
    stale: db.prepare<[number], StaleRow>(
      `SELECT t.id, t.source_id AS source, t.messages, t.revision,
       json_extract(t.meta, '$.whatIf') IS NOT NULL AS isWhatIf FROM transcripts t
       LEFT JOIN derived d ON d.transcript_id = t.id
       WHERE t.removed = 0 AND t.state <> 'importing' AND (d.messages IS NULL OR d.revision <> t.revision
         OR (d.messages <> t.messages AND d.messages < ${SETTLED_MESSAGES})) LIMIT ?`,
    ),
    endedAt: db.prepare<[number], string | null>('SELECT ended_at FROM transcripts WHERE id = ?').pluck(),
    contents: db
      .prepare<[number, number, number], number>(
        'SELECT content_id FROM messages WHERE transcript_id = ? AND idx >= ? ORDER BY idx LIMIT ?',
      )
      .pluck(),
    sameAt: db
      .prepare<[number, number, number, number, number], number>(
        `SELECT m.transcript_id FROM messages m JOIN transcripts t ON t.id = m.transcript_id
         WHERE m.content_id = ? AND m.idx = ? AND m.transcript_id <> ? AND t.source_id <> ? AND t.removed = 0
         AND t.state <> 'importing' AND json_extract(t.meta, '$.whatIf') IS NULL ORDER BY m.transcript_id DESC LIMIT ?`,
      )
      .pluck(),
    other: db.prepare<[number], Omit<Other, 'shared'>>(
      'SELECT id, messages, ended_at AS endedAt FROM transcripts WHERE id = ?',
    ),
    rebase: db.prepare<{ id: number; base: number; shared: number }>(
      `UPDATE derived SET base_id = @base, shared = @shared
       WHERE transcript_id = @id AND (base_id IS NULL OR shared < @shared)`,
    ),
    put: db.prepare<[number, number, number, string | null, number | null, number]>(
      `INSERT INTO derived (transcript_id, messages, revision, first_text, base_id, shared) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (transcript_id) DO UPDATE SET messages = excluded.messages, revision = excluded.revision,
       first_text = excluded.first_text, base_id = excluded.base_id, shared = excluded.shared`,
    ),
    continuedBy: db
      .prepare<[string], string>(
        `SELECT t.uid FROM transcripts b JOIN derived d ON d.base_id = b.id JOIN transcripts t ON t.id = d.transcript_id
         WHERE b.uid = ? AND d.shared = b.messages AND t.removed = 0 ORDER BY t.id`,
      )
      .pluck(),
    firstMetas: db
      .prepare<[number], string>('SELECT meta FROM message_pages WHERE transcript_id = ? ORDER BY first LIMIT 1')
      .pluck(),
  };
}
