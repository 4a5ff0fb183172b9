import { collectOften } from '../../core/engine/garbageLimit.ts';
import type { Outcome } from '../../core/engine/threads/index.ts';
import { ThreadPool } from '../../core/engine/threads/index.ts';
import type { CheckedWithRecords, CheckSetup, FileToCheck } from './checking.ts';
import { countsPlainly } from './counting.ts';
import { CliFailure, EXIT } from './failure.ts';
import type { CommandRun, CommandToRun, FileChecked, ThreadAnswer, ThreadSetup, ThreadTask } from './taskWorker.ts';

/**
 * Most space for new objects in a thread. V8 lets it grow with the work and keeps it: without a limit a worker held 430 MB after 6,000
 * small sessions, of which 38 were in use, and was as fast. Unit: MB.
 */
const YOUNG_MB = 24;

/** Threads that do tasks; each one at a time. Where one dies at a task, another takes its place for the next. */
export class TaskThreads {
  readonly #pool: ThreadPool<ThreadTask, ThreadAnswer>;

  /** `most` = how many threads; `check` = what files are held against. */
  constructor(most: number, check: CheckSetup | null = null) {
    this.#pool = new ThreadPool({
      url: new URL('./taskWorker.ts', import.meta.url),
      data: { plain: countsPlainly(), check } satisfies ThreadSetup,
      limits: { maxYoungGenerationSizeMb: YOUNG_MB },
      most,
    });
    collectOften();
  }

  /** Runs a command in a thread that is free; one that dies of it is an answer. */
  async run(command: CommandToRun): Promise<CommandRun> {
    const outcome = await this.#pool.ask({ command });
    // A thread answers a command with its run.
    if (outcome.kind === 'answer') return outcome.answer as CommandRun;
    return { exit: EXIT.bug, out: '', notes: [], error: { code: 'worker.died', message: endOf(outcome) } };
  }

  /** Checks a file in a thread that is free; null = no transcript. Fails as a check in this process does. */
  async check(file: FileToCheck): Promise<readonly CheckedWithRecords[] | null> {
    const outcome = await this.#pool.ask({ file });
    if (outcome.kind !== 'answer') throw new Error(endOf(outcome));
    const checked = outcome.answer as FileChecked;
    if ('found' in checked) return checked.found;
    const { exit, code, message } = checked.failure;
    throw new CliFailure(exit, code, message);
  }

  /** Ends all threads. */
  close(): Promise<void> {
    return this.#pool.close();
  }
}

function endOf(outcome: Exclude<Outcome<ThreadAnswer>, { readonly kind: 'answer' }>): string {
  const reason = outcome.kind === 'died' && outcome.reason !== '' ? outcome.reason : 'no reason is known';
  return `the thread ended: ${reason}`;
}
