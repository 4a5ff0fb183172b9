import type { Problem } from '../../model/problem.ts';
import type { FollowedPath, Library } from '../../store/index.ts';
import { Follower } from '../follow/follower.ts';
import type { FollowNews } from '../follow/types.ts';
import { ThreadPool } from '../threads/pool.ts';
import type { Outcome } from '../threads/types.ts';
import { Waits } from '../threads/waits.ts';
import { watchCompaction } from './compactProgress.ts';
import { executeJob, type JobProgress } from './execute.ts';
import { type Executor, JobQueue } from './queue.ts';
import type { JobEnd, JobRequest, JobRunner } from './types.ts';
import type { JobWorkerData, ToJobWorker } from './workerTypes.ts';

/** Settings of a job thread. A bundled host gives its own worker file. */
export interface ThreadRunnerOptions {
  /** Folder of the library. */
  readonly dir: string;
  readonly workerUrl?: URL;
  /** An idle thread is ended after this time, because its memory is of use to nobody. */
  readonly idleMilliseconds?: number;
  /** Those whose answers go before a look through the library; absent = nobody's. */
  readonly waits?: Waits;
}

/** Runs jobs in this thread, over a connection at hand: for the CLI and tests. `close` leaves the library open. */
export function inlineRunner(library: Library): JobRunner {
  const follower = new Follower(library);
  return new JobQueue({
    run: (request, onProgress, signal) => executeJob(library, request, onProgress, signal, { follower }),
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

const SURVEY_IDLE_MS = 2_000;

/** Runs jobs in a separate thread, started when needed. A crash fails the job it happened in, and no other. */
export function threadRunner(options: ThreadRunnerOptions): JobRunner {
  const jobs = new ThreadExecutor(options);
  // It loads the rules of sessions and a session at a time: what that takes is given back soon after it has ended. Not at once:
  // it may have ended because somebody opens a transcript, and giving back a hundred megabytes takes a core for a while.
  const surveys = new ThreadExecutor({ ...options, idleMilliseconds: SURVEY_IDLE_MS });
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

/** A thread that crashes again and again over what it follows is not started for it any more. */
const FOLLOW_RESTARTS = 3;
const RESTART_MS = 1_000;

class ThreadExecutor implements Executor {
  onNews: (news: FollowNews) => void = () => {};
  readonly #dir: string;
  readonly #pool: ThreadPool<JobRequest, JobEnd, JobProgress, FollowNews>;
  #followed: readonly FollowedPath[] = [];
  #restarts = 0;
  #restartTimer: NodeJS.Timeout | null = null;

  constructor({ dir, workerUrl, idleMilliseconds = 5_000, waits = new Waits() }: ThreadRunnerOptions) {
    this.#dir = dir;
    this.#pool = new ThreadPool({
      url: workerUrl ?? new URL('./jobWorker.ts', import.meta.url),
      data: { dir, waits: waits.shared } satisfies JobWorkerData,
      // Batches live for a moment only: a small young generation halves the thread's memory and costs no time.
      limits: { maxYoungGenerationSizeMb: 24 },
      most: 1,
      messageOf: (request) => ({ kind: 'run', request }) satisfies ToJobWorker,
      idleMilliseconds,
      isHeld: () => this.#followed.length > 0,
      farewell: { kind: 'close' } satisfies ToJobWorker,
      greeting: () => (this.#followed.length === 0 ? null : this.#following()),
      onNews: (news) => this.onNews(news),
      onDeath: () => this.#followAgain(),
    });
  }

  async run(request: JobRequest, onProgress: (progress: JobProgress) => void, signal: AbortSignal): Promise<JobEnd> {
    const unwatch = request.kind === 'compact' ? watchCompaction(this.#dir, request.bytes, onProgress) : () => {};
    const cancel: ToJobWorker = { kind: 'cancel' };
    const outcome = await this.#pool.ask(request, { onProgress, signal, cancel });
    unwatch();
    return endOf(outcome);
  }

  follow(paths: readonly FollowedPath[]): void {
    this.#followed = paths;
    this.#restarts = 0;
    this.#pool.post(this.#following());
    if (paths.length > 0) this.#pool.wake();
    this.#pool.rest();
  }

  close(): Promise<void> {
    if (this.#restartTimer !== null) clearTimeout(this.#restartTimer);
    return this.#pool.close();
  }

  #following(): ToJobWorker {
    return { kind: 'follow', paths: this.#followed };
  }

  #followAgain(): void {
    if (this.#followed.length === 0 || this.#restarts >= FOLLOW_RESTARTS) return;
    this.#restarts++;
    this.#restartTimer = setTimeout(() => this.#pool.wake(), RESTART_MS);
    this.#restartTimer.unref();
  }
}

function endOf(outcome: Outcome<JobEnd>): JobEnd {
  if (outcome.kind === 'answer') return outcome.answer;
  if (outcome.kind === 'stopped') return { state: 'cancelled' };
  const crash = outcome.kind === 'died' && outcome.reason !== '' ? outcome.reason : 'it ended without saying why';
  const code = outcome.kind === 'died' ? outcome.code : null;
  const message = `The job thread crashed (${crash}, code ${code}). Start the job again.`;
  return { state: 'failed', error: { code: 'job.crashed', message } };
}
