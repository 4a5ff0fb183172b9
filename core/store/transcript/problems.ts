import type { Problem } from '../../model/problem.ts';
import type { Connection } from '../database.ts';
import { readStored } from '../library/storeProblem.ts';

interface ProblemRow {
  readonly code: string;
  readonly severity: string;
  readonly text: string;
  readonly place: string | null;
}

/** Findings of imports. One without a transcript belongs to the whole file. */
export class Problems {
  readonly #insert;
  readonly #of;
  readonly #cut;
  readonly #count;

  constructor(db: Connection) {
    this.#insert = db.prepare<[number, number | null, string, string, string, string | null]>(
      'INSERT INTO problems (source_id, transcript_id, code, severity, text, place) VALUES (?, ?, ?, ?, ?, ?)',
    );
    this.#cut = db.prepare<[number, number]>('DELETE FROM problems WHERE source_id = ? AND id > ?');
    this.#count = db
      .prepare<[number, number], number>('SELECT count(*) FROM problems WHERE transcript_id = ? AND id <= ?')
      .pluck();
    this.#of = db.prepare<[number, number], ProblemRow>(
      `SELECT code, severity, text, place FROM problems
       WHERE transcript_id = ? OR (source_id = ? AND transcript_id IS NULL) ORDER BY id`,
    );
  }

  insert(source: number, transcript: number | null, problem: Problem): void {
    const place = problem.where === undefined ? null : JSON.stringify(problem.where);
    this.#insert.run(source, transcript, problem.code, problem.severity, problem.text, place);
  }

  /** Takes away what was found of a source after the problem with this id. */
  truncate(source: number, after: number): void {
    this.#cut.run(source, after);
  }

  /** Findings of a transcript up to the problem with this id. */
  count(transcript: number, upTo: number): number {
    return this.#count.get(transcript, upTo) ?? 0;
  }

  /** The transcript's own findings and those of its file, in the order they were made. */
  of(transcript: number, source: number): readonly Problem[] {
    return this.#of.all(transcript, source).map(({ code, severity, text, place }) => ({
      code,
      severity: severity === 'error' || severity === 'warning' ? severity : 'info',
      text,
      ...(place === null ? {} : { where: readStored(place) }),
    }));
  }
}
