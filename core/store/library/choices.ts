import type { Connection } from '../database.ts';

/** What a person chose to look at a transcript with (policy, window, tokenizer), as JSON text; by public id. */
export class Choices {
  readonly #get;
  readonly #put;
  readonly #drop;

  constructor(db: Connection) {
    this.#get = db.prepare<[string], string>('SELECT json FROM choices WHERE uid = ?').pluck();
    this.#put = db.prepare<[string, string]>('INSERT OR REPLACE INTO choices (uid, json) VALUES (?, ?)');
    this.#drop = db.prepare<[string]>('DELETE FROM choices WHERE uid = ?');
  }

  /** null = nothing was chosen. */
  get(uid: string): string | null {
    return this.#get.get(uid) ?? null;
  }

  /** null = nothing is chosen any more. */
  set(uid: string, json: string | null): void {
    if (json === null) this.#drop.run(uid);
    else this.#put.run(uid, json);
  }
}
