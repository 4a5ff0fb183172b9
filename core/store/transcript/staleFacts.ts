// Facts are stored, and the program that reads them out of messages changes. Pages read by an older reader are read
// again, one page a transaction, from the exact texts; what was derived from their facts goes with them.

import type { MessageFacts, MessageMeta } from '../../model/message.ts';
import { FACTS_VERSION, readRecorded } from '../../model/readMessage.ts';
import { asOneWrite, type Connection } from '../database.ts';
import { readStored } from '../library/storeProblem.ts';
import { FactsUnpacker, packFacts } from './factsCodec.ts';
import type { Messages } from './messages.ts';

interface StalePage {
  readonly id: number;
  readonly transcript: number;
  readonly first: number;
  readonly count: number;
  readonly facts: string;
  readonly meta: string;
}

/** Pages whose facts an older version of the program read. */
export class StaleFacts {
  readonly #db: Connection;
  readonly #messages: Messages;
  readonly #statements: ReturnType<typeof staleStatements>;

  constructor(db: Connection, messages: Messages) {
    this.#db = db;
    this.#messages = messages;
    this.#statements = staleStatements(db);
  }

  /** Reads all stale pages of a transcript again; true if there were any. */
  refresh(transcript: number): boolean {
    let found = false;
    while (this.#refresh(() => this.#statements.ofTranscript.get(transcript, FACTS_VERSION))) found = true;
    return found;
  }

  /** Whether there is a stale page. */
  any(): boolean {
    return this.#statements.any.get(FACTS_VERSION) !== undefined;
  }

  /** Reads one stale page of any transcript again; false if there is none. */
  step(): boolean {
    return this.#refresh(() => this.#statements.any.get(FACTS_VERSION));
  }

  #refresh(find: () => StalePage | undefined): boolean {
    if (find() === undefined) return false;
    asOneWrite(this.#db, () => {
      const page = find();
      if (page !== undefined) this.#reread(page);
    });
    return true;
  }

  #reread(page: StalePage): void {
    const { id, transcript, first, count } = page;
    const texts = this.#messages.texts(transcript, first, count, Number.POSITIVE_INFINITY);
    const metas: readonly MessageMeta[] = readStored(page.meta);
    const facts = texts.map((text, i) => readRecorded(readStored(text), metas[i] ?? {}));
    const packed = packFacts(facts);
    if (packed === page.facts) {
      this.#statements.approve.run(FACTS_VERSION, id);
      return;
    }
    const before = totalsOf(new FactsUnpacker().unpack(page.facts));
    const after = totalsOf(facts);
    const parts = Uint32Array.from(facts, (one) => one.parts.length);
    this.#statements.update.run(FACTS_VERSION, packed, new Uint8Array(parts.buffer), id);
    this.#statements.addCounts.run(
      after.parts - before.parts,
      after.turns - before.turns,
      after.callPoints - before.callPoints,
      transcript,
    );
    this.#forgetTokens(page);
  }

  // Tokens are counted part by part, so they are those of the old parts.
  #forgetTokens({ transcript, first, count }: StalePage): void {
    this.#statements.forgetContents.run(transcript, first, first + count);
    this.#statements.forgetPages.run(transcript);
    this.#statements.forgetTotals.run(transcript);
  }
}

function totalsOf(facts: readonly MessageFacts[]) {
  return {
    parts: facts.reduce((sum, one) => sum + one.parts.length, 0),
    turns: facts.filter((one) => one.beginsTurn).length,
    callPoints: facts.filter((one) => one.role === 'assistant').length,
  };
}

function staleStatements(db: Connection) {
  const select = 'SELECT id, transcript_id AS transcript, first, count, facts, meta FROM message_pages';
  return {
    any: db.prepare<[number], StalePage>(`${select} WHERE facts_version < ? LIMIT 1`),
    ofTranscript: db.prepare<[number, number], StalePage>(
      `${select} WHERE transcript_id = ? AND facts_version < ? ORDER BY first LIMIT 1`,
    ),
    approve: db.prepare<[number, number]>('UPDATE message_pages SET facts_version = ? WHERE id = ?'),
    update: db.prepare<[number, string, Uint8Array, number]>(
      'UPDATE message_pages SET facts_version = ?, facts = ?, part_counts = ?, stats = NULL WHERE id = ?',
    ),
    addCounts: db.prepare<[number, number, number, number]>(
      'UPDATE transcripts SET parts = parts + ?, turns = turns + ?, call_points = call_points + ?, errors = NULL WHERE id = ?',
    ),
    forgetContents: db.prepare<[number, number, number]>(
      `DELETE FROM token_counts WHERE content_id IN
       (SELECT content_id FROM messages WHERE transcript_id = ? AND idx >= ? AND idx < ?)`,
    ),
    forgetPages: db.prepare<[number]>('DELETE FROM token_pages WHERE transcript_id = ?'),
    forgetTotals: db.prepare<[number]>('DELETE FROM token_totals WHERE transcript_id = ?'),
  };
}
