import { Worker } from 'node:worker_threads';
import type { Problem } from '../../model/problem.ts';
import type { FollowedPath, Library } from '../../store/index.ts';
import { Follower } from '../follow/follower.ts';
import type { FollowNews } from '../follow/types.ts';
import { threadEnv } from '../threadEnv.ts';
import { watchCompaction } from './compactProgress.ts';
import { executeJob, type JobProgress } from './execute.ts';
import { type Executor, JobQueue } from './queue.ts';
import type { JobEnd, JobRequest, JobRunner } from './types.ts';
import type { FromJobWorker, JobWorkerData, ToJobWorker } from './workerTypes.ts';

/** Settings of a job thread. A bundled host gives its own worker file. */
export interface ThreadRunnerOptions {
  /** Folder of the library. */
  readonly dir: string;
  readonly workerUrl?: URL;
  /** An idle thread is ended after this time, because its memory is of use to nobody. */
  readonly idleMilliseconds?: number;
}

/** Runs jobs in this thread, over a connection at hand: for the CLI and tests. `close` leaves the library open. */
export function inlineRunner(library: Library): JobRunner {
  const follower = new Follower(library);
  return new JobQueue({
    run: (request, onProgress, signal) => executeJob(library, request, onProgress, signal, follower),
    close: () => follower.close(),
    follow: (paths) => follower.follow(paths),
    get onNews() {
      return follower.onNews;
    },
    set onNews(listener) {
      follower.onNews = listener;
    },
  });
}

/** Runs no jobs: each ends with the reason why nothing can be written to the library. */
export function refusingRunner({ code, text }: Pick<Problem, 'code' | 'text'>): JobRunner {
  const refused: JobEnd = { state: 'failed', error: { code, message: text } };
  return new JobQueue({
    run: () => Promise.resolve(refused),
    close: () => Promise.resolve(),
    follow: () => {},
    onNews: () => {},
  });
}

/** Runs jobs in a separate thread, started when needed. A crash fails the job it happened in, and no other. */
export function threadRunner(options: ThreadRunnerOptions): JobRunner {
  const jobs = new ThreadExecutor(options);
  // It loads the rules of sessions and a session at a time: what that takes is given back when it has ended.
  const surveys = new ThreadExecutor({ ...options, idleMilliseconds: 0 });
  return new JobQueue({
    run: (request, onProgress, signal) => (request.kind === 'survey' ? surveys : jobs).run(request, onProgress, signal),
    close: async () => {
      await surveys.close();
      await jobs.close();
    },
    follow: (paths) => jobs.follow(paths),
    get onNews() {
      return jobs.onNews;
    },
    set onNews(listener) {
      jobs.onNews = listener;
    },
  });
}

interface Run {
  readonly run: number;
  readonly onProgress: (progress: JobProgress) => void;
  readonly end: (end: JobEnd) => void;
}

/** A thread that crashes again and again over what it follows is not started for it any more. */
const FOLLOW_RESTARTS = 3;
const RESTART_MS = 1_000;

class ThreadExecutor implements Executor {
  onNews: (news: FollowNews) => void = () => {};
  readonly #options: ThreadRunnerOptions;
  #followed: readonly FollowedPath[] = [];
  #restarts = 0;
  #restartTimer: NodeJS.Timeout | null = null;
  #worker: Worker | null = null;
  #current: Run | null = null;
  #runs = 0;
  #idleTimer: NodeJS.Timeout | null = null;

  constructor(options: ThreadRunnerOptions) {
    this.#options = options;
  }

  run(request: JobRequest, onProgress: (progress: JobProgress) => void, signal: AbortSignal): Promise<JobEnd> {
    if (this.#idleTimer !== null) clearTimeout(this.#idleTimer);
    const worker = this.#spawned();
    worker.ref();
    const run = ++this.#runs;
    const cancel = () => post(worker, { kind: 'cancel', run });
    signal.addEventListener('abort', cancel, { once: true });
    const { dir } = this.#options;
    const unwatch = request.kind === 'compact' ? watchCompaction(dir, request.bytes, onProgress) : () => {};
    return new Promise((resolve) => {
      const end = (ended: JobEnd) => {
        this.#current = null;
        unwatch();
        signal.removeEventListener('abort', cancel);
        this.#rest();
        resolve(ended);
      };
      this.#current = { run, onProgress, end };
      post(worker, { kind: 'run', run, request });
      if (signal.aborted) cancel();
    });
  }

  follow(paths: readonly FollowedPath[]): void {
    this.#followed = paths;
    this.#restarts = 0;
    if (this.#worker === null && paths.length === 0) return;
    post(this.#spawned(), { kind: 'follow', paths });
    if (this.#current === null) this.#rest();
  }

  async close(): Promise<void> {
    if (this.#idleTimer !== null) clearTimeout(this.#idleTimer);
    if (this.#restartTimer !== null) clearTimeout(this.#restartTimer);
    const worker = this.#worker;
    if (worker === null) return;
    this.#worker = null;
    // However it ends: a thread that fails at its end has ended too.
    const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    worker.ref();
    post(worker, { kind: 'close' });
    await exited;
  }

  /** An idle thread keeps no process alive, and after a while goes. */
  #rest(): void {
    this.#worker?.unref();
    if (this.#idleTimer !== null) clearTimeout(this.#idleTimer);
    if (this.#followed.length > 0) return;
    this.#idleTimer = setTimeout(() => void this.close(), this.#options.idleMilliseconds ?? 5_000);
    this.#idleTimer.unref();
  }

  #spawned(): Worker {
    if (this.#worker !== null) return this.#worker;
    const workerData: JobWorkerData = { dir: this.#options.dir };
    // Batches live for a moment only: a small young generation halves the thread's memory and costs no time.
    const url = this.#options.workerUrl ?? new URL('./jobWorker.ts', import.meta.url);
    const worker = new Worker(url, {
      workerData,
      env: threadEnv(url),
      resourceLimits: { maxYoungGenerationSizeMb: 24 },
    });
    let crash = 'it ended without saying why';
    worker.on('message', (message: FromJobWorker) => this.#hear(message));
    worker.on('error', (error) => {
      crash = error instanceof Error ? error.message : String(error);
    });
    worker.on('exit', (code) => {
      if (this.#worker !== worker) return;
      this.#worker = null;
      const message = `The job thread crashed (${crash}, code ${code}). Start the job again.`;
      this.#current?.end({ state: 'failed', error: { code: 'job.crashed', message } });
      this.#followAgain();
    });
    this.#worker = worker;
    if (this.#followed.length > 0) post(worker, { kind: 'follow', paths: this.#followed });
    return worker;
  }

  #followAgain(): void {
    if (this.#followed.length === 0 || this.#restarts >= FOLLOW_RESTARTS) return;
    this.#restarts++;
    this.#restartTimer = setTimeout(() => {
      this.#spawned();
      if (this.#current === null) this.#rest();
    }, RESTART_MS);
    this.#restartTimer.unref();
  }

  #hear(message: FromJobWorker): void {
    if (message.kind === 'news') {
      this.onNews(message.news);
      return;
    }
    const current = this.#current;
    if (current === null || current.run !== message.run) return;
    if (message.kind === 'progress') current.onProgress(message.progress);
    else current.end(message.end);
  }
}

function post(worker: Worker, message: ToJobWorker): void {
  worker.postMessage(message);
}
