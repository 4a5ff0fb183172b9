// The threads of a check. Each transcript is asked of the thread that is free first.
import { ThreadPool, threadsHere } from '../threads/pool.ts';
import { answerOf } from '../threads/types.ts';
import type { CheckAnswers, CheckAsk, CheckProgress, CheckWorkerData } from './types.ts';

/** Threads that hold transcripts against the same rules. */
export class CheckThreads {
  readonly #pool: ThreadPool<CheckAsk, CheckAnswers[CheckAsk['kind']], CheckProgress>;

  constructor(data: CheckWorkerData) {
    this.#pool = new ThreadPool({ url: new URL('./checkWorker.ts', import.meta.url), data, most: threadsHere() });
  }

  /** Asks a thread that is free, or a new one. Rejects with StoppedError once closed. */
  async ask<K extends CheckAsk['kind']>(
    ask: Extract<CheckAsk, { readonly kind: K }>,
    onProgress: (progress: CheckProgress) => void = () => {},
  ): Promise<CheckAnswers[K]> {
    // The answer is that of this kind of question: a thread answers one at a time.
    return answerOf(await this.#pool.ask(ask, { onProgress }), 'A thread of the check') as CheckAnswers[K];
  }

  /** Ends all threads; what is asked is rejected. */
  close(): Promise<void> {
    return this.#pool.close();
  }
}
