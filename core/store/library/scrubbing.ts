import { createHmac } from 'node:crypto';
import { asOneWrite, type Connection } from '../database.ts';

/** Words and regular expressions that are masked besides what is found. */
export interface StoredRules {
  readonly words: readonly string[];
  readonly patterns: readonly string[];
}

interface Key {
  readonly bytes: Buffer;
}

interface Rule {
  readonly kind: string;
  readonly text: string;
}

/** Digests asked for in one query. */
const AT_ONCE = 500;

/** What a person decided about values before something left, and own words. Values are never kept, only digests of them. */
export class Scrubbing {
  readonly #db: Connection;
  readonly #statements: ReturnType<typeof scrubbingStatements>;
  #key: Buffer | null = null;

  constructor(db: Connection) {
    this.#db = db;
    this.#statements = scrubbingStatements(db);
  }

  /** What was decided about each of these values (named by any text), where something was. */
  decisions(values: readonly string[]): ReadonlyMap<string, string> {
    const found = new Map<string, string>();
    if (!this.#statements.any.get()) return found;
    for (let from = 0; from < values.length; from += AT_ONCE) {
      const named = new Map(values.slice(from, from + AT_ONCE).map((value) => [this.#digest(value), value]));
      for (const { digest, decision } of this.#statements.decided.all(JSON.stringify([...named.keys()]))) {
        const value = named.get(digest);
        if (value !== undefined) found.set(value, decision);
      }
    }
    return found;
  }

  /** Keeps a decision about values; null = forgets what was decided. `now` in ISO-8601. */
  decide(values: readonly string[], decision: string | null, now: string): void {
    asOneWrite(this.#db, () => {
      for (const value of values) {
        if (decision === null) this.#statements.forget.run(this.#digest(value));
        else this.#statements.decide.run(this.#digest(value), decision, now);
      }
    });
  }

  /** Own words and expressions, in their order. */
  rules(): StoredRules {
    const all = this.#statements.rules.all();
    const of = (kind: string): string[] => all.flatMap((rule) => (rule.kind === kind ? [rule.text] : []));
    return { words: of('word'), patterns: of('pattern') };
  }

  /** Puts these in place of the former. */
  setRules({ words, patterns }: StoredRules): void {
    asOneWrite(this.#db, () => {
      this.#statements.clear.run();
      for (const [position, text] of words.entries()) this.#statements.rule.run('word', text, position);
      for (const [position, text] of patterns.entries()) this.#statements.rule.run('pattern', text, position);
    });
  }

  // Nobody who reads a digest alone can try values on it: the key stays in the library.
  #digest(value: string): string {
    this.#key ??= this.#statements.key.get()?.bytes ?? null;
    if (this.#key === null) throw new Error('the library has no key for decisions');
    return createHmac('sha256', this.#key).update(value).digest('hex');
  }
}

function scrubbingStatements(db: Connection) {
  return {
    key: db.prepare<[], Key>('SELECT bytes FROM scrub_key LIMIT 1'),
    any: db.prepare<[], unknown>('SELECT 1 FROM scrub_decisions LIMIT 1'),
    decided: db.prepare<[string], { readonly digest: string; readonly decision: string }>(
      'SELECT digest, decision FROM scrub_decisions WHERE digest IN (SELECT value FROM json_each(?))',
    ),
    decide: db.prepare<[string, string, string]>(
      'INSERT OR REPLACE INTO scrub_decisions (digest, decision, made_at) VALUES (?, ?, ?)',
    ),
    forget: db.prepare<[string]>('DELETE FROM scrub_decisions WHERE digest = ?'),
    rules: db.prepare<[], Rule>('SELECT kind, text FROM scrub_rules ORDER BY kind, position'),
    clear: db.prepare<[]>('DELETE FROM scrub_rules'),
    rule: db.prepare<[string, string, number]>(
      'INSERT OR IGNORE INTO scrub_rules (kind, text, position) VALUES (?, ?, ?)',
    ),
  };
}
