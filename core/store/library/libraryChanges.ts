import type { Connection } from '../database.ts';

/** Public ids of the transcripts that changed after a moment; some of them may be gone. `seq` names the new moment. */
export interface ChangedTranscripts {
  readonly seq: number;
  readonly ids: readonly string[];
}

/** What changed in the list of transcripts, and when: triggers write it down, whoever made the change. */
export class LibraryChanges {
  readonly #last;
  readonly #since;

  constructor(db: Connection) {
    this.#last = db.prepare<[], number>('SELECT coalesce(max(seq), 0) FROM library_changes').pluck();
    this.#since = db.prepare<[number], string>('SELECT uid FROM library_changes WHERE seq > ? ORDER BY seq').pluck();
  }

  /** The moment it is now: 0 = nothing ever changed. */
  now(): number {
    return this.#last.get() ?? 0;
  }

  since(seq: number): ChangedTranscripts {
    const now = this.now();
    return { seq: now, ids: now === seq ? [] : this.#since.all(seq) };
  }
}
