// `parallax worker`: a long-lived process that answers tasks, for engines that run fleets.
import type { Command } from 'commander';
import { threadsHere } from '../../core/engine/threads/index.ts';
import { RawJson, stringifyWithRaw } from '../../core/util/json/index.ts';
import { wholeNumber } from '../support/arguments.ts';
import { checkNotEmpty } from '../support/failure.ts';
import type { FleetParts, TakenTask } from '../support/fleet/parts.ts';
import { rowsOf } from '../support/fleet/tables.ts';
import { type Line, linesIn, MOST_LINE_BYTES } from '../support/lines.ts';
import { writeJsonText } from '../support/output.ts';
import { readTask, type Task, TaskFault } from '../support/tasks.ts';
import { TaskThreads } from '../support/taskThreads.ts';
import type { CommandRun } from '../support/taskWorker.ts';

const HELP = `
Tasks come as lines on stdin: {"id", "op": project|sweep|uses|tune|autopsy|check|lint|findings, "path" or "transcript", "spec",
and the options of that command}. An answer is a line: {"id", "op", "exit", "result", "notes"}, or {"id", "op", "exit", "error":
{"code", "message"}}. "result" is what the command prints with --json; a list of lines for sweep, tune and findings. Answers come as
tasks are done, at most --jobs at once: docs/fleets.md.

With --parquet results go into tables, one for each op and one of the tasks; an answer then has "rows", their number, in place of
"result". A file is there when it is whole: when a thousand tasks are done, and at the end of the input.

Exit codes: 0 all lines were answered; 2 wrong usage; 3 the tables cannot be written.`;

/** `parallax worker`. */
export function addWorker(program: Command): void {
  program
    .command('worker')
    .description('answer tasks that come as lines: projections, sweeps, uses, checks … over a fleet of sessions')
    .option('--jobs <n>', 'threads; as many as there are cores, at most eight', wholeNumber('--jobs', 1, 999))
    .option('--parquet <dir>', 'write results as tables, Parquet files in this folder')
    .addHelpText('after', HELP)
    .action(answerTasks);
}

interface WorkerOptions {
  readonly jobs?: number;
  readonly parquet?: string;
}

async function answerTasks({ jobs = threadsHere(), parquet }: WorkerOptions): Promise<void> {
  checkNotEmpty('--parquet', parquet);
  const parts = parquet === undefined ? null : await openParts(parquet);
  const threads = new TaskThreads(jobs);
  const running = new Set<Promise<void>>();
  let number = 0;
  try {
    for await (const line of linesIn(process.stdin)) {
      number++;
      if ('text' in line && line.text.trim() === '') continue;
      const taken = parts?.take('text' in line ? line.text : `line ${number}: ${line.fault}`) ?? null;
      const answering: Promise<void> = answerLine(threads, line, number, taken).finally(() =>
        running.delete(answering),
      );
      running.add(answering);
      // A slow reader of answers slows the reading of tasks: no more are held than there are threads.
      if (running.size >= jobs) await Promise.race(running);
    }
    await Promise.all(running);
    parts?.finish();
  } finally {
    parts?.discard();
    await threads.close();
  }
}

// The writer of Parquet is loaded by whoever wants tables.
async function openParts(dir: string): Promise<FleetParts> {
  const { FleetParts } = await import('../support/fleet/parts.ts');
  return FleetParts.open(dir);
}

async function answerLine(threads: TaskThreads, line: Line, number: number, taken: TakenTask | null): Promise<void> {
  let task: Task;
  try {
    task = readTask(textOf(line));
  } catch (error) {
    if (!(error instanceof TaskFault)) throw error;
    const fault = { code: 'task.invalid', message: `line ${number}: ${error.message}` };
    taken?.finish({ id: idText(error.id), path: null, op: null, exit: null, error: fault, notes: [], rows: [] });
    await writeJsonText(`${stringifyWithRaw({ id: error.id, error: fault })}\n`);
    return;
  }
  const run = await threads.run(task);
  await writeJsonText(`${stringifyWithRaw(taken === null ? answerOf(task, run) : tabled(taken, task, run))}\n`);
}

/** Puts the result into its table; the answer then counts its rows. */
function tabled(taken: TakenTask, { id, op, path }: Task, { exit, out, notes, error }: CommandRun) {
  const rows = error === null ? rowsOf(op, linesOf(out)) : [];
  taken.finish({ id: idText(id), path, op, exit, error, notes, rows });
  return error === null ? { id, op, exit, rows: rows.length, notes } : { id, op, exit, error };
}

/** A text as it is; anything else as JSON. */
function idText(id: RawJson): string {
  const value: unknown = JSON.parse(id.text);
  return typeof value === 'string' ? value : id.text;
}

function linesOf(out: string): readonly string[] {
  return out.split('\n').filter((line) => line !== '');
}

function textOf(line: Line): string {
  if ('text' in line) return line.text;
  if (line.fault === 'not_utf8') throw new TaskFault('it is not UTF-8');
  throw new TaskFault(`it has more than ${MOST_LINE_BYTES / 1024 ** 2} MiB, the most of a line that is read`);
}

/** Commands that print a line for each of several. */
const SEVERAL: readonly string[] = ['sweep', 'tune', 'findings'];

function answerOf({ id, op }: Task, { exit, out, notes, error }: CommandRun) {
  if (error !== null) return { id, op, exit, error: { code: error.code, message: error.message } };
  const lines = linesOf(out);
  const [only = 'null'] = lines;
  // Each line is JSON as it was printed: it is passed on unread.
  const result = SEVERAL.includes(op) ? lines.map((line) => new RawJson(line)) : new RawJson(only);
  return { id, op, exit, result, notes };
}
