// The threads of a check. Each transcript is asked of the thread that is free first.
import { Worker } from 'node:worker_threads';
import { threadEnv } from '../threadEnv.ts';
import type { CheckAnswers, CheckAsk, CheckWorkerData, FromCheckWorker } from './types.ts';

/** The check was ended: nobody waits for the answer. */
export class CheckStoppedError extends Error {
  constructor() {
    super('the check was ended');
  }
}

/** Threads that hold transcripts against the same rules. */
export class CheckThreads {
  readonly #data: CheckWorkerData;
  readonly #url: URL;
  readonly #free: Worker[] = [];
  readonly #all = new Set<Worker>();
  #isClosed = false;

  constructor(data: Omit<CheckWorkerData, 'stop'>, url = new URL('./checkWorker.ts', import.meta.url)) {
    this.#data = { ...data, stop: new SharedArrayBuffer(4) };
    this.#url = url;
  }

  /** Asks a thread that is free, or a new one: as many work as are asked at once. Rejects with CheckStoppedError once closed. */
  async ask<K extends CheckAsk['kind']>(
    ask: Extract<CheckAsk, { readonly kind: K }>,
    onProgress: (done: number, total: number) => void = () => {},
  ): Promise<CheckAnswers[K]> {
    if (this.#isClosed) throw new CheckStoppedError();
    const worker = this.#free.pop() ?? this.#start();
    const answer = await this.#answerOf(worker, ask, onProgress);
    if (answer.kind === 'stopped' || this.#isClosed) throw new CheckStoppedError();
    this.#free.push(worker);
    if (answer.kind === 'failed') throw new Error(answer.message);
    // The answer is that of this kind of question: a thread answers one at a time.
    return answer.answer as CheckAnswers[K];
  }

  /** Ends all threads; what is asked is rejected. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    Atomics.store(new Int32Array(this.#data.stop), 0, 1);
    await Promise.all([...this.#all].map((worker) => worker.terminate()));
  }

  #answerOf(
    worker: Worker,
    ask: CheckAsk,
    onProgress: (done: number, total: number) => void,
  ): Promise<Exclude<FromCheckWorker, { readonly kind: 'progress' }>> {
    return new Promise((resolve, reject) => {
      const end = (settle: () => void): void => {
        worker.off('message', hear).off('error', fail).off('exit', leave);
        settle();
      };
      const hear = (answer: FromCheckWorker): void => {
        if (answer.kind === 'progress') onProgress(answer.done, answer.total);
        else end(() => resolve(answer));
      };
      const fail = (error: unknown): void => {
        this.#all.delete(worker);
        end(() => reject(error instanceof Error ? error : new Error(String(error))));
      };
      const leave = (code: number): void => {
        this.#all.delete(worker);
        end(() =>
          reject(this.#isClosed ? new CheckStoppedError() : new Error(`A thread of the check ended (code ${code}).`)),
        );
      };
      worker.on('message', hear).on('error', fail).on('exit', leave);
      worker.postMessage(ask);
    });
  }

  #start(): Worker {
    const worker = new Worker(this.#url, { workerData: this.#data, env: threadEnv(this.#url) });
    this.#all.add(worker);
    return worker;
  }
}
