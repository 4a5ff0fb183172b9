// Threads that do tasks, each one at a time. What a pool is asked is answered exactly once, whatever dies or is cancelled:
// a thread that ends takes with it the task that it was at, and no other.
import { availableParallelism } from 'node:os';
import { type ResourceLimits, Worker } from 'node:worker_threads';
import { threadEnv } from '../threadEnv.ts';
import type { FromThread, Outcome, StopWord } from './types.ts';

/** Threads that are started unasked for at most: each holds what its tasks remember. */
const THREADS_MOST = 8;

/** As many threads as there are cores, within bounds. */
export function threadsHere(): number {
  return Math.max(1, Math.min(THREADS_MOST, availableParallelism()));
}

/** What a pool needs of a Worker. */
export interface PoolThread {
  postMessage(message: unknown): void;
  terminate(): Promise<unknown>;
  ref(): void;
  unref(): void;
  on(event: 'message' | 'error', listener: (given: unknown) => void): unknown;
  on(event: 'messageerror', listener: (error: Error) => void): unknown;
  on(event: 'exit', listener: (code: number) => void): unknown;
}

/** What threads are, and how many. */
export interface PoolOptions<Task, News = never> {
  /** The thread's file. */
  readonly url: URL;
  /** What threads are started with; the pool adds the word that stops them (StopWord). */
  readonly data?: object;
  /** Memory and stack of each thread. */
  readonly limits?: ResourceLimits;
  /** Threads at once; what is asked beyond waits. */
  readonly most: number;
  /** What a thread has open after a task: the next of the same goes there. Absent = any thread will do. */
  readonly keyOf?: (task: Task) => unknown;
  /** What is sent for a task; `isOpen` = the thread has the task's key open. Absent = the task itself. */
  readonly messageOf?: (task: Task, isOpen: boolean) => unknown;
  /** A thread without a task ends after this time. Absent = it stays until the pool is closed. */
  readonly idleMilliseconds?: number;
  /** Whether threads stay, idle or not. */
  readonly isHeld?: () => boolean;
  /** What makes a thread end in order. Absent = it is terminated. */
  readonly farewell?: unknown;
  /** What a new thread is sent before all tasks; null = nothing. */
  readonly greeting?: () => unknown;
  readonly onNews?: (news: News) => void;
  /** A thread ended that was not asked to. Its task has been answered. */
  readonly onDeath?: () => void;
  /** Starts a thread; for tests. */
  readonly start?: (url: URL, data: StopWord, limits: ResourceLimits | undefined) => PoolThread;
}

/** How one task is done. */
export interface TaskOptions<Progress> {
  readonly onProgress?: (progress: Progress) => void;
  readonly signal?: AbortSignal;
  /** What a thread is sent when its task is cancelled, which it then ends by itself. Absent = the thread is ended. */
  readonly cancel?: unknown;
  /** How long it may take from when a thread is given it. */
  readonly milliseconds?: number;
}

interface Asked<Task, Answer, Progress> {
  readonly task: Task;
  readonly options: TaskOptions<Progress>;
  readonly settle: (outcome: Outcome<Answer>) => void;
  readonly fail: (error: unknown) => void;
  /** Ends it when it takes too long. */
  timer: NodeJS.Timeout | null;
}

interface Thread<Task, Answer, Progress> {
  readonly worker: PoolThread;
  readonly exited: PromiseWithResolvers<void>;
  at: Asked<Task, Answer, Progress> | null;
  /** What it has open; undefined = nothing. */
  key: unknown;
  reason: string;
  idle: NodeJS.Timeout | null;
}

/** Threads of one kind. Started when needed; those without a task keep no process alive. */
export class ThreadPool<Task, Answer, Progress = never, News = never> {
  readonly #options: PoolOptions<Task, News>;
  readonly #stop = new SharedArrayBuffer(4);
  readonly #threads: Thread<Task, Answer, Progress>[] = [];
  readonly #waiting: Asked<Task, Answer, Progress>[] = [];
  /** Threads that were asked to end, and have not yet. */
  readonly #leaving = new Set<Thread<Task, Answer, Progress>>();
  #isClosed = false;

  constructor(options: PoolOptions<Task, News>) {
    this.#options = options;
  }

  /** How many threads there are at most. */
  get most(): number {
    return Math.max(1, this.#options.most);
  }

  /** Has a task done by a thread; waits for one. Rejects only if the task cannot be sent at all. */
  ask(task: Task, options: TaskOptions<Progress> = {}): Promise<Outcome<Answer>> {
    return new Promise((resolve, reject) => {
      const { signal } = options;
      if (this.#isClosed || signal?.aborted === true) {
        resolve({ kind: 'stopped' });
        return;
      }
      const cancel = (): void => this.#cancel(asked);
      const done = (): void => {
        if (asked.timer !== null) clearTimeout(asked.timer);
        signal?.removeEventListener('abort', cancel);
      };
      const asked: Asked<Task, Answer, Progress> = {
        task,
        options,
        settle: (outcome) => {
          done();
          resolve(outcome);
        },
        fail: (error) => {
          done();
          reject(error);
        },
        timer: null,
      };
      signal?.addEventListener('abort', cancel, { once: true });
      this.#waiting.push(asked);
      this.#assign();
    });
  }

  /** Sends something besides tasks to all threads that run. */
  post(message: unknown): void {
    for (const { worker } of this.#threads) worker.postMessage(message);
  }

  /** Starts a thread if there is none. */
  wake(): void {
    if (!this.#isClosed && this.#threads.length === 0) this.#rest(this.#start());
  }

  /** Ends idle threads when their time has come, if they are not held. */
  rest(): void {
    for (const thread of this.#threads) if (thread.at === null) this.#rest(thread);
  }

  /** Ends all threads; what is asked is stopped. Resolves when they have ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    Atomics.store(new Int32Array(this.#stop), 0, 1);
    for (const { settle } of this.#waiting.splice(0)) settle({ kind: 'stopped' });
    for (const thread of [...this.#threads]) this.#end(thread, { kind: 'stopped' }, this.#options.farewell);
    await Promise.all([...this.#leaving].map(({ exited }) => exited.promise));
  }

  #assign(): void {
    while (this.#waiting.length > 0) {
      const thread = this.#freeThread();
      if (thread === null) return;
      const [asked] = this.#waiting.splice(this.#taskFor(thread), 1);
      if (asked !== undefined) this.#give(thread, asked);
    }
  }

  // One that has open what something that waits is about, else any, else a new one.
  #freeThread(): Thread<Task, Answer, Progress> | null {
    const free = this.#threads.filter(({ at }) => at === null);
    const fitting = free.find(({ key }) => this.#waiting.some((asked) => this.#keyOf(asked) === key));
    if (fitting !== undefined) return fitting;
    if (free[0] !== undefined) return free[0];
    return this.#threads.length < this.most ? this.#start() : null;
  }

  // What is about the thread's own key, else about one that no thread has open, else the first.
  #taskFor({ key }: Thread<Task, Answer, Progress>): number {
    const own = this.#waiting.findIndex((asked) => this.#keyOf(asked) === key);
    if (own >= 0) return own;
    const open = new Set(this.#threads.map((thread) => thread.key));
    return Math.max(
      0,
      this.#waiting.findIndex((asked) => !open.has(this.#keyOf(asked))),
    );
  }

  #keyOf({ task }: Asked<Task, Answer, Progress>): unknown {
    return this.#options.keyOf?.(task);
  }

  #give(thread: Thread<Task, Answer, Progress>, asked: Asked<Task, Answer, Progress>): void {
    const { task } = asked;
    if (thread.idle !== null) clearTimeout(thread.idle);
    thread.idle = null;
    const key = this.#keyOf(asked);
    const { messageOf } = this.#options;
    try {
      thread.worker.postMessage(messageOf === undefined ? task : messageOf(task, key === thread.key));
    } catch (error) {
      asked.fail(error);
      this.#rest(thread);
      return;
    }
    thread.worker.ref();
    thread.key = key;
    thread.at = asked;
    const { milliseconds } = asked.options;
    if (milliseconds !== undefined)
      asked.timer = setTimeout(() => this.#dismiss(asked, { kind: 'late' }), milliseconds);
  }

  #cancel(asked: Asked<Task, Answer, Progress>): void {
    const at = this.#waiting.indexOf(asked);
    if (at >= 0) {
      this.#waiting.splice(at, 1);
      asked.settle({ kind: 'stopped' });
      return;
    }
    const { cancel } = asked.options;
    if (cancel === undefined) this.#dismiss(asked, { kind: 'stopped' });
    else this.#threads.find((thread) => thread.at === asked)?.worker.postMessage(cancel);
  }

  /** Ends the thread that is at a task, and answers the task. */
  #dismiss(asked: Asked<Task, Answer, Progress>, outcome: Outcome<Answer>): void {
    const thread = this.#threads.find(({ at }) => at === asked);
    if (thread === undefined) return;
    this.#end(thread, outcome);
    this.#assign();
  }

  /** Ends a thread, which is no longer given tasks; `outcome` = of what it is at. */
  #end(thread: Thread<Task, Answer, Progress>, outcome: Outcome<Answer>, farewell?: unknown): void {
    this.#threads.splice(this.#threads.indexOf(thread), 1);
    this.#leaving.add(thread);
    if (thread.idle !== null) clearTimeout(thread.idle);
    const { at, worker } = thread;
    thread.at = null;
    at?.settle(outcome);
    if (farewell === undefined) {
      void worker.terminate();
      return;
    }
    worker.ref();
    worker.postMessage(farewell);
  }

  #start(): Thread<Task, Answer, Progress> {
    const { url, data, limits, greeting, start = startWorker } = this.#options;
    const worker = start(url, { ...data, stop: this.#stop }, limits);
    const thread: Thread<Task, Answer, Progress> = {
      worker,
      exited: Promise.withResolvers(),
      at: null,
      key: undefined,
      reason: '',
      idle: null,
    };
    // What a thread of this pool says is of its kind.
    worker.on('message', (message) => this.#hear(thread, message as FromThread<Answer, Progress, News>));
    worker.on('error', (error) => {
      thread.reason = error instanceof Error ? error.message : String(error);
    });
    worker.on('messageerror', (error) => {
      thread.reason = error.message;
      void worker.terminate();
    });
    worker.on('exit', (code) => this.#left(thread, code));
    this.#threads.push(thread);
    const greets = greeting?.() ?? null;
    if (greets !== null) worker.postMessage(greets);
    return thread;
  }

  #hear(thread: Thread<Task, Answer, Progress>, message: FromThread<Answer, Progress, News>): void {
    if (message.kind === 'news') {
      this.#options.onNews?.(message.news);
      return;
    }
    const { at } = thread;
    if (at === null) return;
    if (message.kind === 'progress') {
      at.options.onProgress?.(message.progress);
      return;
    }
    thread.at = null;
    // What failed may not have opened what it was about.
    if (message.kind !== 'answer') thread.key = undefined;
    at.settle(message);
    this.#assign();
    this.#rest(thread);
  }

  #left(thread: Thread<Task, Answer, Progress>, code: number): void {
    thread.exited.resolve();
    this.#leaving.delete(thread);
    if (thread.idle !== null) clearTimeout(thread.idle);
    const place = this.#threads.indexOf(thread);
    if (place < 0) return;
    this.#threads.splice(place, 1);
    const { at } = thread;
    thread.at = null;
    at?.settle({ kind: 'died', reason: thread.reason, code });
    this.#options.onDeath?.();
    this.#assign();
  }

  /** A thread without a task keeps no process alive, and after a while goes. */
  #rest(thread: Thread<Task, Answer, Progress>): void {
    if (thread.at !== null || !this.#threads.includes(thread)) return;
    thread.worker.unref();
    if (thread.idle !== null) clearTimeout(thread.idle);
    thread.idle = null;
    const { idleMilliseconds, isHeld, farewell } = this.#options;
    if (idleMilliseconds === undefined || isHeld?.() === true) return;
    thread.idle = setTimeout(() => this.#end(thread, { kind: 'stopped' }, farewell), idleMilliseconds);
    thread.idle.unref();
  }
}

function startWorker(url: URL, workerData: StopWord, resourceLimits: ResourceLimits | undefined): PoolThread {
  return new Worker(url, { workerData, env: threadEnv(url), ...(resourceLimits && { resourceLimits }) });
}
