import type { Connection } from '../database.ts';
import { readStored } from './storeProblem.ts';

/** Small JSON values by key: workspace state and defaults. */
export class Settings {
  readonly #all;
  readonly #put;
  readonly #drop;

  constructor(db: Connection) {
    this.#all = db.prepare<[], { readonly key: string; readonly value: string }>('SELECT key, value FROM settings');
    this.#put = db.prepare<[string, string]>('INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)');
    this.#drop = db.prepare<[string]>('DELETE FROM settings WHERE key = ?');
  }

  all(): Readonly<Record<string, unknown>> {
    const entries = this.#all.all().map(({ key, value }): [string, unknown] => [key, readStored(value)]);
    return Object.fromEntries(entries);
  }

  /** Sets a key; undefined removes it. Throws TypeError if the value is not JSON. */
  set(key: string, value: unknown): void {
    if (value === undefined) this.#drop.run(key);
    else this.#put.run(key, JSON.stringify(value));
  }
}
