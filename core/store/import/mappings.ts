import { asOneWrite, type Connection } from '../database.ts';

/** A mapping as it is kept: `hash` names its reading, `name` is null if it is not among the saved ones. */
export interface MappingRow {
  readonly hash: string;
  readonly name: string | null;
  readonly json: string;
  /** ISO-8601. */
  readonly savedAt: string;
}

/**
 * Mappings of files that no format knows, by hash and by name. One that files were read by stays when its name goes:
 * what they were read as must be found again.
 */
export class Mappings {
  readonly #statements: ReturnType<typeof mappingStatements>;
  readonly #db: Connection;

  constructor(db: Connection) {
    this.#db = db;
    this.#statements = mappingStatements(db);
  }

  /** The saved ones, by name. */
  saved(): readonly MappingRow[] {
    return this.#statements.saved.all();
  }

  get(hash: string): MappingRow | null {
    return this.#statements.get.get(hash) ?? null;
  }

  /** Keeps a mapping, without a name if it has none yet. */
  keep(hash: string, json: string): void {
    this.#statements.keep.run(hash, json, new Date().toISOString());
  }

  /** Saves a mapping under a name; another of this name loses it. */
  save(hash: string, name: string, json: string): void {
    asOneWrite(this.#db, () => {
      this.remove(name);
      this.#statements.save.run(hash, name, json, new Date().toISOString());
    });
  }

  /** Takes the mapping of this name from the saved ones; false if there is none. */
  remove(name: string): boolean {
    const gone = this.#statements.forget.run(name).changes;
    this.#statements.sweep.run();
    return gone > 0;
  }
}

function mappingStatements(db: Connection) {
  const columns = 'hash, name, json, saved_at AS savedAt';
  return {
    saved: db.prepare<[], MappingRow>(
      `SELECT ${columns} FROM mappings WHERE name IS NOT NULL ORDER BY name COLLATE NOCASE`,
    ),
    get: db.prepare<[string], MappingRow>(`SELECT ${columns} FROM mappings WHERE hash = ?`),
    keep: db.prepare<[string, string, string]>(
      'INSERT INTO mappings (hash, name, json, saved_at) VALUES (?, NULL, ?, ?) ON CONFLICT (hash) DO NOTHING',
    ),
    save: db.prepare<[string, string, string, string]>(
      `INSERT INTO mappings (hash, name, json, saved_at) VALUES (?, ?, ?, ?)
       ON CONFLICT (hash) DO UPDATE SET name = excluded.name, json = excluded.json, saved_at = excluded.saved_at`,
    ),
    forget: db.prepare<[string]>('UPDATE mappings SET name = NULL WHERE name = ?'),
    sweep: db.prepare<[]>(
      'DELETE FROM mappings WHERE name IS NULL AND hash NOT IN (SELECT mapping FROM sources WHERE mapping IS NOT NULL)',
    ),
  };
}
