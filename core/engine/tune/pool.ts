// The threads of a sweep. Each has one session open; what is asked waits for a thread that has its session open already, or for
// any that is free. Threads are started as they are needed, and end with the pool.
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { threadEnv } from '../threadEnv.ts';
import type {
  FromTuneWorker,
  GivenSession,
  SweepOptions,
  ToTuneWorker,
  TuneAnswers,
  TuneAsk,
  TuneWorkerData,
} from './types.ts';

/** Threads that are started unasked for at most: each holds a session and what its stages remember. */
const THREADS_MOST = 8;
/** Cells that the views of all walks may have together. */
const CELLS = 3_000_000;

/** The sweep was stopped: what was found until then has been reported. */
export class SweepStoppedError extends Error {
  constructor() {
    super('the sweep was stopped');
  }
}

interface Task {
  readonly session: number;
  readonly ask: TuneAsk;
  readonly resolve: (answer: TuneAnswers[TuneAsk['kind']]) => void;
  readonly reject: (error: Error) => void;
}

interface Thread {
  readonly worker: Worker;
  session: number | null;
  task: Task | null;
}

/** As many threads as there are cores, within bounds. */
export function threadsHere(): number {
  return Math.max(1, Math.min(THREADS_MOST, availableParallelism()));
}

/** Asks sessions in threads. */
export class TunePool {
  readonly threads: number;
  readonly #sessions: readonly GivenSession[];
  readonly #data: TuneWorkerData;
  readonly #url: URL;
  readonly #running: Thread[] = [];
  readonly #waiting: Task[] = [];
  #closed = false;

  constructor(
    sessions: readonly GivenSession[],
    options: SweepOptions,
    threads: number,
    url = new URL('./tuneWorker.ts', import.meta.url),
  ) {
    this.threads = Math.max(1, threads);
    this.#sessions = sessions;
    this.#url = url;
    this.#data = { options, cells: Math.floor(CELLS / this.threads), stop: new SharedArrayBuffer(4) };
  }

  /** Asks a session; several at once. Rejects with SweepStoppedError once the pool is closed. */
  ask<K extends TuneAsk['kind']>(
    session: number,
    ask: Extract<TuneAsk, { readonly kind: K }>,
  ): Promise<TuneAnswers[K]> {
    return new Promise((resolve, reject) => {
      if (this.#closed) {
        reject(new SweepStoppedError());
        return;
      }
      // The answer is that of this kind of question: a thread answers one at a time.
      const message = resolve as Task['resolve'];
      this.#waiting.push({ session, ask, resolve: message, reject });
      this.#hand();
    });
  }

  /** Ends all threads; what is asked is rejected. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    Atomics.store(new Int32Array(this.#data.stop), 0, 1);
    for (const { reject } of this.#waiting.splice(0)) reject(new SweepStoppedError());
    await Promise.all(this.#running.map(({ worker }) => worker.terminate()));
  }

  #hand(): void {
    while (this.#waiting.length > 0) {
      const thread = this.#freeThread();
      if (thread === null) return;
      const [task] = this.#waiting.splice(this.#taskFor(thread), 1);
      if (task === undefined) return;
      const given = thread.session === task.session ? null : (this.#sessions[task.session] ?? null);
      thread.task = task;
      thread.session = task.session;
      thread.worker.postMessage({ session: task.session, given, ask: task.ask } satisfies ToTuneWorker);
    }
  }

  // One that has the session of something that waits, else any, else a new one.
  #freeThread(): Thread | null {
    const free = this.#running.filter(({ task }) => task === null);
    const fitting = free.find(({ session }) => this.#waiting.some((task) => task.session === session));
    if (fitting !== undefined) return fitting;
    if (free[0] !== undefined) return free[0];
    return this.#running.length < this.threads ? this.#start() : null;
  }

  // Its own session's, else one that no thread has open, else the first.
  #taskFor({ session }: Thread): number {
    const own = this.#waiting.findIndex((task) => task.session === session);
    if (own >= 0) return own;
    const open = new Set(this.#running.map((thread) => thread.session));
    return Math.max(
      0,
      this.#waiting.findIndex((task) => !open.has(task.session)),
    );
  }

  #start(): Thread {
    const worker = new Worker(this.#url, { workerData: this.#data, env: threadEnv(this.#url) });
    const thread: Thread = { worker, session: null, task: null };
    worker.on('message', (message: FromTuneWorker) => this.#hear(thread, message));
    worker.on('error', (error: unknown) => {
      this.#end(thread, new Error(error instanceof Error ? error.message : String(error)));
    });
    worker.on('exit', (code) =>
      this.#end(
        thread,
        this.#closed ? new SweepStoppedError() : new Error(`A thread of the sweep ended (code ${code}).`),
      ),
    );
    this.#running.push(thread);
    return thread;
  }

  #hear(thread: Thread, message: FromTuneWorker): void {
    const { task } = thread;
    thread.task = null;
    if (message.kind === 'answer') task?.resolve(message.answer);
    else task?.reject(message.kind === 'stopped' ? new SweepStoppedError() : new Error(message.message));
    if (!this.#closed) this.#hand();
  }

  #end(thread: Thread, error: Error): void {
    const at = this.#running.indexOf(thread);
    if (at >= 0) this.#running.splice(at, 1);
    thread.task?.reject(error);
    thread.task = null;
    if (!this.#closed) this.#hand();
  }
}
