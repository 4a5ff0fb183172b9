// An engine whose jobs the test does itself, at the moments it chooses, over a connection of its own as the job thread
// has one; and whose delayed events come when the test lets them.
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { createFileHandles } from '../../core/engine/files/fileHandles.ts';
import type { FollowNews } from '../../core/engine/follow/types.ts';
import { NO_LIMIT } from '../../core/engine/garbageLimit.ts';
import { runImport, runTokens } from '../../core/engine/jobs/index.ts';
import type { JobEnd, JobRequest, JobRunner } from '../../core/engine/jobs/types.ts';
import type { GuardedResult, SandboxClient } from '../../core/engine/sandbox/sandboxClient.ts';
import { createService } from '../../core/engine/service.ts';
import { Waits } from '../../core/engine/threads/waits.ts';
import type { EngineClient } from '../../core/protocol/client.ts';
import { createClient } from '../../core/protocol/createClient.ts';
import type { Events } from '../../core/protocol/methods.ts';
import { inProcessPair } from '../../core/protocol/transports.ts';
import type { JobInfo } from '../../core/protocol/types.ts';
import type { Library } from '../../core/store/index.ts';
import { isTokenizerId } from '../../core/tokens/counters.ts';
import { openLibrary, tempDir } from '../support/tempLibrary.ts';

/** Jobs that wait for the test. */
export class ManualJobs implements JobRunner {
  onJob: (job: JobInfo) => void = () => {};
  onNews: (news: FollowNews) => void = () => {};
  readonly started: { readonly id: string; readonly request: JobRequest }[] = [];
  readonly #infos = new Map<string, JobInfo>();
  readonly #ended = new Map<string, PromiseWithResolvers<JobEnd>>();

  start(request: JobRequest): string {
    const id = `job-${this.started.length + 1}`;
    this.started.push({ id, request });
    this.#ended.set(id, Promise.withResolvers());
    this.#tell({
      ...{ jobId: id, kind: request.kind, title: request.kind, state: 'queued', progress: null, bytesPerSecond: null },
      ...{ secondsLeft: null, message: '', transcriptIds: [], error: null },
    });
    return id;
  }

  /** Says that a job runs. */
  run(id: string): void {
    this.#tell({ ...this.#info(id), state: 'running' });
  }

  /** Says that a job has ended. */
  finish(id: string, end: JobEnd = { state: 'done', outcomes: [] }): void {
    this.#tell({ ...this.#info(id), state: end.state });
    this.#ended.get(id)?.resolve(end);
  }

  end(id: string): Promise<JobEnd> {
    return this.#ended.get(id)?.promise ?? Promise.reject(new Error(`there is no job ${id}`));
  }

  cancel(id: string): boolean {
    const { state } = this.#info(id);
    if (state !== 'queued' && state !== 'running') return false;
    this.finish(id, { state: 'cancelled' });
    return true;
  }

  list(): readonly JobInfo[] {
    return [...this.#infos.values()];
  }

  follow(): void {}

  async close(): Promise<void> {}

  #info(id: string): JobInfo {
    const info = this.#infos.get(id);
    if (info === undefined) throw new Error(`there is no job ${id}`);
    return info;
  }

  #tell(info: JobInfo): void {
    this.#infos.set(info.jobId, info);
    this.onJob(info);
  }
}

/** User code that runs when the test lets it; its answer is the messages as they were unless the test gives another. */
export class ManualSandbox implements SandboxClient {
  readonly waiting: { readonly messagesJson: string; readonly answer: (result: GuardedResult) => void }[] = [];

  runGuarded(_source: string, messagesJson: string): Promise<GuardedResult> {
    return new Promise((answer) => {
      this.waiting.push({ messagesJson, answer });
    });
  }

  /** Answers the longest waiting run. False if none waits. */
  letOneRun(): boolean {
    const next = this.waiting.shift();
    next?.answer({ ok: true, value: { resultJson: next.messagesJson, steps: 0, logs: [] } });
    return next !== undefined;
  }

  async dispose(): Promise<void> {
    while (this.letOneRun());
  }
}

export interface ManualEngine {
  readonly dir: string;
  /** The engine's own connection. */
  readonly library: Library;
  /** Another one, as a job thread or another program has it. */
  readonly other: Library;
  readonly jobs: ManualJobs;
  readonly sandbox: ManualSandbox;
  connect(): EngineClient;
  /** Imports a file over the other connection, or takes in what it has become; the ids of its transcripts. */
  take(path: string): Promise<readonly string[]>;
  /** Counts a transcript over the other connection. */
  count(id: string, tokenizer: string): Promise<void>;
  /** Says what a follower says of transcripts that changed. */
  news(changed: readonly string[]): void;
  /** What a pause in the work does. */
  trim(): void;
  /** Lets all delayed events come. */
  passTime(): void;
  dispose(): Promise<void>;
}

/** Opens one for the running test (`dir` = the folder of another one). Timers are the test's own from then on. */
export function manualEngine(dir = tempDir()): ManualEngine {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const folder = join(dir, 'library');
  const library = openLibrary(folder);
  const other = openLibrary(folder);
  const jobs = new ManualJobs();
  const sandbox = new ManualSandbox();
  const service = createService({
    library,
    jobs,
    sandbox,
    backgroundSandbox: sandbox,
    files: createFileHandles(new Uint8Array(32)),
    pageShell: null,
    waits: new Waits(),
    garbage: NO_LIMIT,
  });
  let disposed: Promise<void> | null = null;
  const dispose = (): Promise<void> => {
    disposed ??= service.dispose();
    return disposed;
  };
  onTestFinished(dispose);
  return {
    ...{ dir, library, other, jobs, sandbox, dispose },
    connect() {
      const [mine, theirs] = inProcessPair();
      service.serve(theirs);
      return createClient(mine);
    },
    async take(path) {
      const { transcripts, error } = await runImport(other, path);
      if (error !== null) throw new Error(error.text);
      return transcripts.map(({ id }) => id);
    },
    async count(id, tokenizer) {
      if (isTokenizerId(tokenizer)) await runTokens(other, id, tokenizer);
    },
    trim: () => service.trim(),
    news: (changed) => jobs.onNews({ follows: [], changed }),
    passTime: () => void vi.advanceTimersByTime(2_000),
  };
}

/** What a client is told of open transcripts, in short. */
export function toldTo(client: EngineClient): string[] {
  const told: string[] = [];
  client.on('transcript', ({ reason, info }: Events['transcript']) => told.push(`${reason} ${info?.messages ?? '-'}`));
  return told;
}

/** Lets all that is on its way arrive. */
export async function arrive(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
}
