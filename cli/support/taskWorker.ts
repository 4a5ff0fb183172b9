// A thread for tasks: runs one after the other. A task is a command, whose output is the answer, or a file to check.
import { parentPort, workerData } from 'node:worker_threads';
import type { FromThread } from '../../core/engine/threads/index.ts';
import { withChannel } from './channel.ts';
import type { CheckedWithRecords, CheckSetup, FileToCheck } from './checking.ts';
import { countPlainly } from './counting.ts';
import { CliFailure, EXIT } from './failure.ts';
import type { Projector } from './projecting.ts';

/** A command to run. */
export interface CommandToRun {
  readonly args: readonly string[];
  readonly input: string | null;
}

/** What it printed, and how it ended. `error` = it ended with one, which is not among the notes. */
export interface CommandRun {
  readonly exit: number;
  readonly out: string;
  readonly notes: readonly string[];
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** What became of a file. `failure` = the whole check ends with it. */
export type FileChecked =
  | { readonly found: readonly CheckedWithRecords[] | null }
  | { readonly failure: { readonly exit: number; readonly code: string; readonly message: string } };

/** What a thread is asked. */
export type ThreadTask = { readonly command: CommandToRun } | { readonly file: FileToCheck };

/** What it answers, each with its own. */
export type ThreadAnswer = CommandRun | FileChecked;

/** What a thread is started with. */
export interface ThreadSetup {
  /** Tokens as they are counted here: see `--plain-counts`. */
  readonly plain: boolean;
  /** What files are held against; null = it runs commands only. */
  readonly check: CheckSetup | null;
}

const port = parentPort;
if (port === null) throw new Error('the thread of a worker was not started as a thread');
const { plain, check }: ThreadSetup = workerData;
countPlainly(plain);
let projector: Projector | null = null;

// A thread loads only the code for what it is asked: commands, or checks.
async function run({ args, input }: CommandToRun): Promise<CommandRun> {
  const { runCommand } = await import('../program.ts');
  const out: string[] = [];
  const notes: string[] = [];
  const channel = {
    out: (text: string) => void out.push(text),
    note: (text: string) => void notes.push(text),
    input: Buffer.from(input ?? ''),
  };
  process.exitCode = EXIT.done;
  const error = await withChannel(channel, () => runCommand([...(plain ? ['--plain-counts'] : []), ...args]));
  const exit = error?.exit ?? Number(process.exitCode ?? EXIT.done);
  process.exitCode = EXIT.done;
  return { exit, out: out.join(''), notes, error };
}

async function checkOne(file: FileToCheck): Promise<FileChecked> {
  if (check === null) throw new Error('the thread was given no rules to check files with');
  const { checkFile } = await import('./checking.ts');
  const { Projector } = await import('./projecting.ts');
  projector ??= new Projector();
  try {
    return { found: await checkFile(projector, file, check) };
  } catch (error) {
    if (!(error instanceof CliFailure)) throw error;
    return { failure: { exit: error.exit, code: error.code, message: error.message } };
  }
}

// What neither answers is a bug, and ends the thread: nobody knows what it left behind.
port.on('message', (task: ThreadTask) => {
  const answering: Promise<ThreadAnswer> = 'command' in task ? run(task.command) : checkOne(task.file);
  void answering.then((answer) => port.postMessage({ kind: 'answer', answer } satisfies FromThread<ThreadAnswer>));
});
