// Watchpoints: the texts that a person watches in a transcript.
import { asOneWrite, type Connection } from '../database.ts';

/** A watched text as it is kept. */
export interface StoredWatchpoint {
  readonly id: string;
  readonly text: string;
  readonly matchCase: boolean;
  readonly wholeWord: boolean;
  /** null = it is called by its text. */
  readonly name: string | null;
  /** As named colours have them, 0 to 5. */
  readonly color: number;
}

/** A watchpoint to be kept. `color` absent = the one used least in the transcript. */
export type NewWatchpoint = Omit<StoredWatchpoint, 'color'> & { readonly color?: number };

/** What is to be changed of a watchpoint; what is left out stays. */
export interface WatchpointChange {
  readonly name?: string | null;
  readonly color?: number;
  /** Its place among the transcript's, from 0. */
  readonly position?: number;
}

interface Row {
  readonly id: string;
  readonly text: string;
  readonly matchCase: number;
  readonly wholeWord: number;
  readonly name: string | null;
  readonly color: number;
}

/** As many as named colours have. */
const COLORS = 6;

/** Watchpoints by transcript. */
export class Watchpoints {
  readonly #db: Connection;
  readonly #statements: ReturnType<typeof watchpointStatements>;

  constructor(db: Connection) {
    this.#db = db;
    this.#statements = watchpointStatements(db);
  }

  /** Those of a transcript, in their order. */
  list(transcriptId: string): readonly StoredWatchpoint[] {
    return this.#statements.of.all(transcriptId).map(watchpointOf);
  }

  /** The one with this text, compared this way. */
  find(
    transcriptId: string,
    wanted: Pick<StoredWatchpoint, 'text' | 'matchCase' | 'wholeWord'>,
  ): StoredWatchpoint | undefined {
    return this.list(transcriptId).find(
      ({ text, matchCase, wholeWord }) =>
        text === wanted.text && matchCase === wanted.matchCase && wholeWord === wanted.wholeWord,
    );
  }

  /** Adds one at the end. The same text, compared the same way, is there once: then it stays as it is. `now` in ISO-8601. */
  add(transcriptId: string, added: NewWatchpoint, now: string): void {
    asOneWrite(this.#db, () => {
      if (this.find(transcriptId, added) !== undefined) return;
      const all = this.list(transcriptId);
      const { id, text, name, color = leastUsed(all) } = added;
      const [matchCase, wholeWord] = [Number(added.matchCase), Number(added.wholeWord)];
      this.#statements.put.run(id, transcriptId, text, matchCase, wholeWord, name, color, all.length, now);
      this.#order([...all.map((one) => one.id), id]);
    });
  }

  /** False if the transcript has no such watchpoint. */
  set(transcriptId: string, id: string, { name, color, position }: WatchpointChange): boolean {
    return asOneWrite(this.#db, (): boolean => {
      const all = this.list(transcriptId);
      const known = all.find((one) => one.id === id);
      if (known === undefined) return false;
      this.#statements.set.run(name === undefined ? known.name : name, color ?? known.color, id);
      if (position === undefined) return true;
      const order = all.flatMap((one) => (one.id === id ? [] : one.id));
      order.splice(position, 0, id);
      this.#order(order);
      return true;
    });
  }

  /** False if there was none. */
  remove(transcriptId: string, id: string): boolean {
    return this.#statements.remove.run(id, transcriptId).changes > 0;
  }

  #order(ids: readonly string[]): void {
    for (const [position, id] of ids.entries()) this.#statements.place.run(position, id);
  }
}

function leastUsed(all: readonly StoredWatchpoint[]): number {
  const uses = new Array<number>(COLORS).fill(0);
  for (const { color } of all) uses[color] = (uses[color] ?? 0) + 1;
  return uses.indexOf(Math.min(...uses));
}

function watchpointOf({ matchCase, wholeWord, ...row }: Row): StoredWatchpoint {
  return { ...row, matchCase: matchCase === 1, wholeWord: wholeWord === 1 };
}

function watchpointStatements(db: Connection) {
  return {
    of: db.prepare<[string], Row>(
      `SELECT w.id, w.text, w.match_case AS matchCase, w.whole_word AS wholeWord, w.name, w.color FROM watchpoints w
       JOIN transcripts t ON t.uid = w.uid AND t.removed = 0 WHERE w.uid = ? ORDER BY w.position, w.id`,
    ),
    put: db.prepare<[string, string, string, number, number, string | null, number, number, string]>(
      `INSERT INTO watchpoints (id, uid, text, match_case, whole_word, name, color, position, made_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    set: db.prepare<[string | null, number, string]>('UPDATE watchpoints SET name = ?, color = ? WHERE id = ?'),
    place: db.prepare<[number, string]>('UPDATE watchpoints SET position = ? WHERE id = ?'),
    remove: db.prepare<[string, string]>('DELETE FROM watchpoints WHERE id = ? AND uid = ?'),
  };
}
