import { basename } from 'node:path';
import type { JobInfo } from '../../protocol/types.ts';
import type { FollowedPath } from '../../store/index.ts';
import { countOf } from '../../util/counts.ts';
import type { Following, FollowNews } from '../follow/types.ts';
import type { JobProgress } from './execute.ts';
import type { JobEnd, JobRequest, JobRunner } from './types.ts';

/** What does one job at a time, somewhere. `run` never rejects; after an abort it ends soon, as `cancelled`. */
export interface Executor extends Following {
  run(request: JobRequest, onProgress: (progress: JobProgress) => void, signal: AbortSignal): Promise<JobEnd>;
  close(): Promise<void>;
}

interface Job {
  readonly id: string;
  readonly request: JobRequest;
  readonly ended: PromiseWithResolvers<JobEnd>;
  info: JobInfo;
  /** Set while it runs. */
  abort: AbortController | null;
  cancelled: boolean;
}

const ENDED_KEPT = 50;
const PROGRESS_MILLISECONDS = 100;
const INDEX_TURN_MILLISECONDS = 2_000;

/**
 * The queue of jobs: one runs, imports go first. Any other gives way to an import that comes later and continues
 * where it stopped, because an import is what somebody waits for.
 */
export class JobQueue implements JobRunner {
  onJob: (job: JobInfo) => void = () => {};
  onNews: (news: FollowNews) => void = () => {};
  readonly #executor: Executor;
  readonly #jobs = new Map<string, Job>();
  #queued: Job[] = [];
  #running: Job | null = null;
  #lastKind: JobRequest['kind'] | null = null;
  #next = 1;
  #idle: PromiseWithResolvers<void> | null = null;
  #closed = false;

  constructor(executor: Executor) {
    this.#executor = executor;
    executor.onNews = (news) => {
      if (!this.#closed) this.onNews(news);
    };
  }

  follow(paths: readonly FollowedPath[]): void {
    if (!this.#closed) this.#executor.follow(paths);
  }

  start(request: JobRequest): string {
    const id = `job-${this.#next++}`;
    const info = newInfo(id, request);
    const job: Job = { id, request, ended: Promise.withResolvers(), info, abort: null, cancelled: false };
    this.#jobs.set(id, job);
    if (this.#closed) {
      this.#end(job, { state: 'cancelled' });
      return id;
    }
    this.#queued.push(job);
    this.onJob(info);
    if (this.#givesWayTo(request)) this.#running?.abort?.abort();
    this.#pump();
    return id;
  }

  end(jobId: string): Promise<JobEnd> {
    const job = this.#jobs.get(jobId);
    return job === undefined ? Promise.reject(new Error(`there is no job ${jobId}`)) : job.ended.promise;
  }

  cancel(jobId: string): boolean {
    const job = this.#jobs.get(jobId);
    if (job === undefined || job.cancelled || isEnded(job.info)) return false;
    job.cancelled = true;
    if (job === this.#running) {
      job.abort?.abort();
    } else {
      this.#queued = this.#queued.filter((other) => other !== job);
      this.#end(job, { state: 'cancelled' });
    }
    return true;
  }

  list(): readonly JobInfo[] {
    return [...this.#jobs.values()].map(({ info }) => info);
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const { id } of [...this.#jobs.values()]) this.cancel(id);
    if (this.#running !== null) {
      this.#idle ??= Promise.withResolvers();
      await this.#idle.promise;
    }
    await this.#executor.close();
  }

  /** Everything else gives way to an import; nobody waits for a look through the library. */
  #givesWayTo({ kind }: JobRequest): boolean {
    const running = this.#running?.request.kind;
    return kind === 'import' ? running !== 'import' : running === 'survey' && kind !== 'survey';
  }

  #pump(): void {
    if (this.#running !== null) return;
    const job = this.#pick();
    if (job === undefined) {
      this.#idle?.resolve();
      return;
    }
    this.#queued = this.#queued.filter((other) => other !== job);
    this.#running = job;
    void this.#run(job);
  }

  /** Imports first. Counting and indexing take turns: neither waits until a whole folder is done with the other. */
  #pick(): Job | undefined {
    const first = (kind: JobRequest['kind']) => this.#queued.find(({ request }) => request.kind === kind);
    const other = () => this.#queued.find(({ request }) => request.kind !== 'survey');
    return first('import') ?? (this.#lastKind === 'tokens' ? first('index') : undefined) ?? other() ?? this.#queued[0];
  }

  /** Indexing continues as long as nothing else is to be done, and gives way after its turn. */
  #limit(job: Job, abort: AbortController): () => void {
    if (job.request.kind !== 'index') return () => {};
    const timer = setInterval(() => {
      if (this.#queued.length > 0) abort.abort();
    }, INDEX_TURN_MILLISECONDS);
    timer.unref();
    return () => clearInterval(timer);
  }

  async #run(job: Job): Promise<void> {
    const abort = new AbortController();
    job.abort = abort;
    this.#lastKind = job.request.kind;
    const endTurn = this.#limit(job, abort);
    this.#notify(job, { ...job.info, state: 'running' });
    const end = await this.#executor.run(job.request, throttled(this.#onProgress(job)), abort.signal);
    endTurn();
    job.abort = null;
    this.#running = null;
    if (end.state === 'cancelled' && !job.cancelled) {
      // It gave way.
      this.#queued.push(job);
      this.#notify(job, { ...job.info, state: 'queued' });
    } else {
      this.#end(job, end);
    }
    this.#pump();
  }

  #onProgress(job: Job): (progress: JobProgress) => void {
    return (progress) => {
      if (job === this.#running) this.#notify(job, { ...job.info, ...progress });
    };
  }

  #end(job: Job, end: JobEnd): void {
    const rest = { bytesPerSecond: null, secondsLeft: null };
    const base = { ...job.info, ...rest, state: end.state };
    switch (end.state) {
      case 'done':
        this.#notify(job, { ...base, progress: 1, transcriptIds: idsOf(end, job.info) });
        break;
      case 'failed':
        this.#notify(job, { ...base, error: end.error });
        break;
      case 'cancelled':
        this.#notify(job, base);
    }
    job.ended.resolve(end);
    this.#forgetOld();
  }

  #notify(job: Job, info: JobInfo): void {
    job.info = info;
    this.onJob(info);
  }

  #forgetOld(): void {
    const ended = [...this.#jobs.values()].filter(({ info }) => isEnded(info));
    for (const { id } of ended.slice(0, Math.max(0, ended.length - ENDED_KEPT))) this.#jobs.delete(id);
  }
}

function newInfo(jobId: string, request: JobRequest): JobInfo {
  return {
    jobId,
    kind: request.kind,
    title: titleOf(request),
    state: 'queued',
    progress: null,
    bytesPerSecond: null,
    secondsLeft: null,
    message: '',
    transcriptIds: request.kind === 'tokens' ? [request.transcriptId] : [],
    error: null,
  };
}

function titleOf(request: JobRequest): string {
  if (request.kind === 'tokens') return 'Count tokens';
  if (request.kind === 'upkeep') return 'Tidy the library';
  if (request.kind === 'compact') return 'Compact the library';
  if (request.kind === 'index') return 'Index text for search';
  if (request.kind === 'survey') return 'Look for findings';
  const [first] = request.paths;
  return request.paths.length === 1 && first !== undefined
    ? `Import ${basename(first)}`
    : `Import ${countOf(request.paths.length, 'file')}`;
}

function idsOf(end: Extract<JobEnd, { state: 'done' }>, info: JobInfo): readonly string[] {
  const imported = end.outcomes.flatMap(({ transcripts }) => transcripts.map(({ id }) => id));
  return imported.length > 0 ? imported : info.transcriptIds;
}

function isEnded({ state }: JobInfo): boolean {
  return state === 'done' || state === 'failed' || state === 'cancelled';
}

/** Lets through the first, and then at most one every 100 ms; the end of the job says the rest. */
function throttled(report: (progress: JobProgress) => void): (progress: JobProgress) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (progress) => {
    const now = performance.now();
    if (now - last < PROGRESS_MILLISECONDS) return;
    last = now;
    report(progress);
  };
}
