// Statements that are compiled when they are first run. The subjects have some three hundred, which took four fifths of an
// opening; most connections run a few of them.
import { createHash } from 'node:crypto';
import type Database from 'better-sqlite3';
import { SCHEMA_DIGEST } from './migrations/index.ts';

type Compiled = Database.Statement<unknown[], unknown>;

/**
 * Has a connection compile each statement when it is first run. Not where the schema is another than this program writes:
 * there all are compiled at once, so that a library without a table or a column is refused as it is opened.
 */
export function compileWhenRun(db: Database.Database): void {
  if (schemaDigest(db) !== SCHEMA_DIGEST) return;
  const compile = db.prepare.bind(db) as (sql: string) => Compiled;
  Object.defineProperty(db, 'prepare', { value: (sql: string) => new LazyStatement(compile, sql) });
}

/** SHA-256 of all that a library is defined by. */
export function schemaDigest(db: Database.Database): string {
  const sql =
    "SELECT group_concat(sql, ';') FROM (SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type, name)";
  const text = db.prepare<[], string>(sql).pluck().get() ?? '';
  return createHash('sha256').update(text).digest('hex');
}

/** What the subjects use of a statement. */
class LazyStatement implements Pick<Compiled, 'run' | 'get' | 'all' | 'iterate'> {
  readonly #compile: (sql: string) => Compiled;
  readonly #sql: string;
  #plucks = false;
  #isRaw = false;
  #compiled: Compiled | null = null;

  constructor(compile: (sql: string) => Compiled, sql: string) {
    this.#compile = compile;
    this.#sql = sql;
  }

  get #statement(): Compiled {
    if (this.#compiled === null) {
      this.#compiled = this.#compile(this.#sql);
      if (this.#plucks) this.#compiled.pluck();
      if (this.#isRaw) this.#compiled.raw();
    }
    return this.#compiled;
  }

  pluck(): this {
    if (this.#compiled === null) this.#plucks = true;
    else this.#compiled.pluck();
    return this;
  }

  raw(): this {
    if (this.#compiled === null) this.#isRaw = true;
    else this.#compiled.raw();
    return this;
  }

  run(...params: unknown[]): Database.RunResult {
    return this.#statement.run(...params);
  }

  get(...params: unknown[]): unknown {
    return this.#statement.get(...params);
  }

  all(...params: unknown[]): unknown[] {
    return this.#statement.all(...params);
  }

  iterate(...params: unknown[]): IterableIterator<unknown> {
    return this.#statement.iterate(...params);
  }
}
