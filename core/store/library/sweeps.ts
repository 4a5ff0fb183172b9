// Sweeps of policies that were run, and the figures of each spec on each transcript.
import { Buffer } from 'node:buffer';
import { asOneWrite, type Connection } from '../database.ts';
import { readStored } from './storeProblem.ts';

/** A sweep as it is kept: both texts are JSON of whoever wrote them. */
export interface StoredSweep {
  readonly id: string;
  readonly asked: unknown;
  readonly found: unknown;
  /** ISO-8601. */
  readonly madeAt: string;
}

/** The figures of a spec on a transcript; `totals` = tokens of each request. */
export interface SweepResultRow {
  readonly figures: unknown;
  readonly totals: readonly number[];
}

interface Row {
  readonly id: string;
  readonly asked: string;
  readonly found: string;
  readonly madeAt: string;
}

/** Sweeps and results that are kept; the oldest go. */
const SWEEPS_MOST = 100;
const RESULTS_MOST = 20_000;

/** Sweeps and results. */
export class Sweeps {
  readonly #db: Connection;
  readonly #statements: ReturnType<typeof sweepStatements>;

  constructor(db: Connection) {
    this.#db = db;
    this.#statements = sweepStatements(db);
  }

  /** The latest first. */
  list(): readonly StoredSweep[] {
    return this.#statements.list.all().map(sweepOf);
  }

  get(id: string): StoredSweep | null {
    const row = this.#statements.get.get(id);
    return row === undefined ? null : sweepOf(row);
  }

  /** Keeps a sweep, in the place of one with the same id. `now` in ISO-8601. */
  put(id: string, asked: unknown, found: unknown, now: string): void {
    this.#statements.put.run(id, JSON.stringify(asked), JSON.stringify(found), now);
    this.#statements.pruneSweeps.run(SWEEPS_MOST);
  }

  /** False if there was none. The results stay: another sweep may use them. */
  remove(id: string): boolean {
    return this.#statements.remove.run(id).changes > 0;
  }

  result(key: string): SweepResultRow | null {
    const row = this.#statements.result.get(key);
    return row === undefined ? null : { figures: readStored(row.figures), totals: numbersOf(row.totals) };
  }

  /** Keeps results of a transcript, as one transaction. */
  putResults(uid: string, results: readonly (SweepResultRow & { readonly key: string })[], now: string): void {
    asOneWrite(this.#db, () => {
      for (const { key, figures, totals } of results) {
        this.#statements.putResult.run(key, uid, JSON.stringify(figures), bytesOf(totals), now);
      }
      this.#statements.pruneResults.run(RESULTS_MOST);
    });
  }
}

function sweepOf({ id, asked, found, madeAt }: Row): StoredSweep {
  return { id, asked: readStored(asked), found: readStored(found), madeAt };
}

const BYTES = Float64Array.BYTES_PER_ELEMENT;

function bytesOf(totals: readonly number[]): Buffer {
  const bytes = Buffer.alloc(totals.length * BYTES);
  for (const [at, total] of totals.entries()) bytes.writeDoubleLE(total, at * BYTES);
  return bytes;
}

function numbersOf(bytes: Buffer): readonly number[] {
  return Array.from({ length: Math.floor(bytes.length / BYTES) }, (_, at) => bytes.readDoubleLE(at * BYTES));
}

function sweepStatements(db: Connection) {
  const row = 'SELECT id, asked, found, made_at AS madeAt FROM sweeps';
  const pruned = (table: string, key: string): string =>
    `DELETE FROM ${table} WHERE ${key} IN (SELECT ${key} FROM ${table} ORDER BY made_at DESC, ${key} LIMIT -1 OFFSET ?)`;
  return {
    list: db.prepare<[], Row>(`${row} ORDER BY made_at DESC, id`),
    get: db.prepare<[string], Row>(`${row} WHERE id = ?`),
    put: db.prepare<[string, string, string, string]>(
      'INSERT OR REPLACE INTO sweeps (id, asked, found, made_at) VALUES (?, ?, ?, ?)',
    ),
    remove: db.prepare<[string]>('DELETE FROM sweeps WHERE id = ?'),
    pruneSweeps: db.prepare<[number]>(pruned('sweeps', 'id')),
    result: db.prepare<[string], { readonly figures: string; readonly totals: Buffer }>(
      'SELECT figures, totals FROM sweep_results WHERE key = ?',
    ),
    putResult: db.prepare<[string, string, string, Buffer, string]>(
      'INSERT OR REPLACE INTO sweep_results (key, uid, figures, totals, made_at) VALUES (?, ?, ?, ?, ?)',
    ),
    pruneResults: db.prepare<[number]>(pruned('sweep_results', 'key')),
  };
}
