import type { Connection } from '../database.ts';
import { readStored } from './storeProblem.ts';

/** What was found in a transcript. `sums` and `figures` are values of whoever wrote them. */
export interface StoredSurvey {
  /** What it was made of: where that is something else by now, it is of another transcript. */
  readonly key: string;
  readonly sums: unknown;
}

interface Row {
  readonly uid: string;
  readonly key: string;
  readonly sums: string;
}

const FROM = 'FROM surveys s JOIN transcripts t ON t.id = s.transcript_id WHERE t.removed = 0';

/** What was found when transcripts were looked through, by public id. */
export class Surveys {
  readonly #get;
  readonly #all;
  readonly #keys;
  readonly #figures;
  readonly #put;

  constructor(db: Connection) {
    this.#get = db.prepare<[string], Row>(`SELECT t.uid, s.key, s.sums ${FROM} AND t.uid = ?`);
    this.#all = db.prepare<[], Row>(`SELECT t.uid, s.key, s.sums ${FROM}`);
    this.#keys = db.prepare<[], Pick<Row, 'uid' | 'key'>>(`SELECT t.uid, s.key ${FROM}`);
    this.#figures = db.prepare<[string], string>(`SELECT s.figures ${FROM} AND t.uid = ?`).pluck();
    this.#put = db.prepare<[string, string, string, string]>(
      `INSERT INTO surveys (transcript_id, key, sums, figures) SELECT id, ?, ?, ? FROM transcripts
       WHERE uid = ? AND removed = 0
       ON CONFLICT (transcript_id) DO UPDATE SET key = excluded.key, sums = excluded.sums, figures = excluded.figures`,
    );
  }

  /** Null: it was never looked through. */
  of(uid: string): StoredSurvey | null {
    const row = this.#get.get(uid);
    return row === undefined ? null : { key: row.key, sums: readStored(row.sums) };
  }

  all(): ReadonlyMap<string, StoredSurvey> {
    return new Map(this.#all.all().map(({ uid, key, sums }) => [uid, { key, sums: readStored(sums) }]));
  }

  /** The keys alone. */
  keys(): ReadonlyMap<string, string> {
    return new Map(this.#keys.all().map(({ uid, key }) => [uid, key]));
  }

  /** The figures of a transcript; null: it was never looked through. */
  figuresOf(uid: string): unknown {
    const text = this.#figures.get(uid);
    return text === undefined ? null : readStored(text);
  }

  /** Keeps what was found, in the place of what was there; nothing of a transcript that is gone. */
  put(uid: string, key: string, sums: unknown, figures: unknown): void {
    this.#put.run(key, JSON.stringify(sums), JSON.stringify(figures), uid);
  }
}
