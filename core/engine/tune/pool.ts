// The threads of a sweep. Each has one session open; what is asked waits for a thread that has its session open already, or for
// any that is free.
import { ThreadPool } from '../threads/pool.ts';
import { answerOf } from '../threads/types.ts';
import type { GivenSession, SweepOptions, ToTuneWorker, TuneAnswers, TuneAsk, TuneWorkerData } from './types.ts';

/** Cells that the views of all walks may have together. */
const CELLS = 3_000_000;

interface Task {
  readonly session: number;
  readonly ask: TuneAsk;
}

/** Asks sessions in threads. */
export class TunePool {
  readonly threads: number;
  readonly #pool: ThreadPool<Task, TuneAnswers[TuneAsk['kind']]>;

  constructor(sessions: readonly GivenSession[], options: SweepOptions, threads: number) {
    this.threads = Math.max(1, threads);
    this.#pool = new ThreadPool({
      url: new URL('./tuneWorker.ts', import.meta.url),
      data: { options, cells: Math.floor(CELLS / this.threads) } satisfies TuneWorkerData,
      most: this.threads,
      keyOf: ({ session }) => session,
      messageOf: ({ session, ask }, isOpen) =>
        ({ session, given: isOpen ? null : (sessions[session] ?? null), ask }) satisfies ToTuneWorker,
    });
  }

  /** Asks a session; several at once. Rejects with StoppedError once the pool is closed. */
  async ask<K extends TuneAsk['kind']>(
    session: number,
    ask: Extract<TuneAsk, { readonly kind: K }>,
  ): Promise<TuneAnswers[K]> {
    // The answer is that of this kind of question: a thread answers one at a time.
    return answerOf(await this.#pool.ask({ session, ask }), 'A thread of the sweep') as TuneAnswers[K];
  }

  /** Ends all threads; what is asked is rejected. */
  close(): Promise<void> {
    return this.#pool.close();
  }
}
