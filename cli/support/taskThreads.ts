import { Worker } from 'node:worker_threads';
import { threadEnv } from '../../core/engine/threadEnv.ts';
import { countsPlainly } from './counting.ts';
import { EXIT } from './failure.ts';
import type { CommandRun, CommandToRun } from './taskWorker.ts';

interface Thread {
  readonly worker: Worker;
  /** Answers the command under way. */
  answer: ((run: CommandRun) => void) | null;
  /** Why it is about to end. */
  failed: string | null;
}

/** Threads that run commands; each one at a time. One that dies answers for its command, and another takes its place. */
export class TaskThreads {
  readonly #free: Thread[] = [];
  readonly #all = new Set<Thread>();

  /** Runs a command in a thread that is free. */
  run(command: CommandToRun): Promise<CommandRun> {
    const thread = this.#free.pop() ?? this.#start();
    return new Promise((resolve) => {
      thread.answer = resolve;
      thread.worker.postMessage(command);
    });
  }

  async close(): Promise<void> {
    await Promise.all([...this.#all].map(({ worker }) => worker.terminate()));
  }

  #start(): Thread {
    const url = new URL('./taskWorker.ts', import.meta.url);
    const worker = new Worker(url, { workerData: { plain: countsPlainly() }, env: threadEnv(url) });
    const thread: Thread = { worker, answer: null, failed: null };
    this.#all.add(thread);
    worker.on('message', (run: CommandRun) => {
      const { answer } = thread;
      thread.answer = null;
      this.#free.push(thread);
      answer?.(run);
    });
    worker.on('error', (error) => {
      thread.failed = error instanceof Error ? error.message : String(error);
    });
    worker.on('exit', () => {
      this.#all.delete(thread);
      const at = this.#free.indexOf(thread);
      if (at >= 0) this.#free.splice(at, 1);
      const message = `the thread ended: ${thread.failed ?? 'no reason is known'}`;
      thread.answer?.({ exit: EXIT.bug, out: '', notes: [], error: { code: 'worker.died', message } });
    });
    return thread;
  }
}
