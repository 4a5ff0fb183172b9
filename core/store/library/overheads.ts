import type { Connection } from '../database.ts';

/** Tokens that requests of a transcript hold and nobody recorded, as a person said; by public id. */
export class Overheads {
  readonly #get;
  readonly #put;

  constructor(db: Connection) {
    this.#get = db.prepare<[string], number>('SELECT tokens FROM overheads WHERE uid = ?').pluck();
    this.#put = db.prepare<[string, number]>('INSERT OR REPLACE INTO overheads (uid, tokens) VALUES (?, ?)');
  }

  /** null = nothing was said of this transcript. */
  get(uid: string): number | null {
    return this.#get.get(uid) ?? null;
  }

  set(uid: string, tokens: number): void {
    this.#put.run(uid, tokens);
  }
}
