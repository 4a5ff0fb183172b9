import { Worker } from 'node:worker_threads';
import { collectOften } from '../../core/engine/collectOften.ts';
import { threadEnv } from '../../core/engine/threadEnv.ts';
import type { CheckedWithRecords, CheckSetup, FileToCheck } from './checking.ts';
import { countsPlainly } from './counting.ts';
import { CliFailure, EXIT } from './failure.ts';
import type { CommandRun, CommandToRun, FileChecked, ThreadAnswer, ThreadSetup, ThreadTask } from './taskWorker.ts';

/**
 * Most space for new objects in a thread. V8 lets it grow with the work and keeps it: without a limit a worker held 430 MB after 6,000
 * small sessions, of which 38 were in use, and was as fast. Unit: MB.
 */
const YOUNG_MB = 24;

/** A thread ended while it was at a task. */
class ThreadEnded extends Error {}

interface Thread {
  readonly worker: Worker;
  /** Answers the task under way. */
  answer: { resolve(answer: ThreadAnswer): void; reject(error: ThreadEnded): void } | null;
  /** Why it is about to end. */
  failed: string | null;
}

/** Threads that do tasks; each one at a time. Where one dies at a task, another takes its place for the next. */
export class TaskThreads {
  readonly #free: Thread[] = [];
  readonly #all = new Set<Thread>();
  readonly #check: CheckSetup | null;

  /** `check` = what files are held against. */
  constructor(check: CheckSetup | null = null) {
    this.#check = check;
    collectOften();
  }

  /** Runs a command in a thread that is free; one that dies of it is an answer. */
  async run(command: CommandToRun): Promise<CommandRun> {
    try {
      // A thread answers a command with its run.
      return (await this.#ask({ command })) as CommandRun;
    } catch (error) {
      if (!(error instanceof ThreadEnded)) throw error;
      return { exit: EXIT.bug, out: '', notes: [], error: { code: 'worker.died', message: error.message } };
    }
  }

  /** Checks a file in a thread that is free; null = no transcript. Fails as a check in this process does. */
  async check(file: FileToCheck): Promise<readonly CheckedWithRecords[] | null> {
    const checked = (await this.#ask({ file })) as FileChecked;
    if ('found' in checked) return checked.found;
    const { exit, code, message } = checked.failure;
    throw new CliFailure(exit, code, message);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#all].map(({ worker }) => worker.terminate()));
  }

  #ask(task: ThreadTask): Promise<ThreadAnswer> {
    const thread = this.#free.pop() ?? this.#start();
    return new Promise((resolve, reject) => {
      thread.answer = { resolve, reject };
      thread.worker.postMessage(task);
    });
  }

  #start(): Thread {
    const url = new URL('./taskWorker.ts', import.meta.url);
    const workerData: ThreadSetup = { plain: countsPlainly(), check: this.#check };
    const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_MB };
    const worker = new Worker(url, { workerData, env: threadEnv(url), resourceLimits });
    const thread: Thread = { worker, answer: null, failed: null };
    this.#all.add(thread);
    worker.on('message', (answer: ThreadAnswer) => {
      const asked = thread.answer;
      thread.answer = null;
      this.#free.push(thread);
      asked?.resolve(answer);
    });
    worker.on('error', (error) => {
      thread.failed = error instanceof Error ? error.message : String(error);
    });
    worker.on('exit', () => {
      this.#all.delete(thread);
      const at = this.#free.indexOf(thread);
      if (at >= 0) this.#free.splice(at, 1);
      thread.answer?.reject(new ThreadEnded(`the thread ended: ${thread.failed ?? 'no reason is known'}`));
    });
    return thread;
  }
}
