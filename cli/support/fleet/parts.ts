// The Parquet output of `parallax worker`: the tasks of its input in parts, a file of each table for each part.
import { createHash, type Hash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { inputFailure } from '../failure.ts';
import { makeFolder } from '../makeFolder.ts';
import { writeErrorText } from '../readError.ts';
import { OPS, type Op } from '../tasks.ts';
import { TableFile } from './tableFile.ts';
import { type Cell, columnsOf, TASKS } from './tables.ts';

/** Tasks of one part. */
const TASKS_A_PART = 1_000;

/** What a task came to, as its row says. */
export interface TaskOutcome {
  readonly id: string;
  readonly path: string | null;
  readonly op: Op | null;
  readonly exit: number | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly notes: readonly string[];
  /** Rows for the table of its op, without the columns of the task and the number. */
  readonly rows: readonly (readonly Cell[])[];
}

/** A task that was taken into a part. */
export interface TakenTask {
  /** Writes what it came to. */
  finish(outcome: TaskOutcome): void;
}

/**
 * Parts in the order of the input. A part is named by its tasks: whoever runs the same lines again writes the same names,
 * and a part takes the place of the one that was there. Its tasks are written last: where they are, all else of it is.
 */
export class FleetParts {
  readonly #dir: string;
  readonly #open = new Set<Part>();
  #current: Part | null = null;

  private constructor(dir: string) {
    this.#dir = dir;
  }

  /** Makes the folder, with one for each table. */
  static async open(dir: string): Promise<FleetParts> {
    for (const table of ['tasks', ...OPS]) await makeFolder(join(dir, table), `the folder of the table ${table}`);
    return new FleetParts(dir);
  }

  /** Takes the next task of the input; `line` = as it came. */
  take(line: string): TakenTask {
    this.#current ??= this.#start();
    const part = this.#current;
    const task = part.take(line);
    if (part.isFull) this.#current = null;
    return {
      finish: (outcome) => {
        this.#writing(() => {
          part.finish(task, outcome);
          if (part.isFull && part.isDone) this.#close(part);
        });
      },
    };
  }

  /** Ends all parts: every task was finished. */
  finish(): void {
    this.#writing(() => {
      for (const part of this.#open) this.#close(part);
    });
  }

  /** Removes what is not whole. */
  discard(): void {
    for (const part of this.#open) part.discard();
    this.#open.clear();
  }

  #start(): Part {
    const part = new Part(this.#dir);
    this.#open.add(part);
    return part;
  }

  #close(part: Part): void {
    part.close();
    this.#open.delete(part);
  }

  #writing(run: () => void): void {
    try {
      run();
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error;
      throw inputFailure(`the tables cannot be written: ${writeErrorText(this.#dir, error)}`, 'output.unwritable');
    }
  }
}

class Part {
  readonly #dir: string;
  readonly #name: Hash = createHash('sha256');
  readonly #files = new Map<string, TableFile>();
  #taken = 0;
  #finished = 0;

  constructor(dir: string) {
    this.#dir = dir;
  }

  get isFull(): boolean {
    return this.#taken >= TASKS_A_PART;
  }

  get isDone(): boolean {
    return this.#finished === this.#taken;
  }

  /** The hash of the task. */
  take(line: string): string {
    const task = createHash('sha256').update(line).digest('hex');
    this.#name.update(task);
    this.#taken++;
    return task;
  }

  finish(task: string, { id, path, op, exit, error, notes, rows }: TaskOutcome): void {
    if (op !== null && rows.length > 0) {
      const file = this.#file(op, () => columnsOf(op));
      file.add(rows.map((row, number) => [task, id, path, number, ...row]));
    }
    const said = notes.length === 0 ? null : JSON.stringify(notes);
    const row = [task, id, path, op, exit, error?.code ?? null, error?.message ?? null, rows.length, said];
    this.#file('tasks', () => TASKS).add([row]);
    this.#finished++;
  }

  close(): void {
    const name = `part-${this.#name.digest('hex').slice(0, 32)}.parquet`;
    for (const op of OPS) {
      const path = join(this.#dir, op, name);
      const file = this.#files.get(op);
      if (file !== undefined) file.finish(path);
      // These tasks gave rows before, and give none now.
      else rmSync(path, { force: true });
    }
    this.#files.get('tasks')?.finish(join(this.#dir, 'tasks', name));
    this.#files.clear();
  }

  discard(): void {
    for (const file of this.#files.values()) file.discard();
    this.#files.clear();
  }

  #file(table: string, columns: () => readonly (typeof TASKS)[number][]): TableFile {
    const there = this.#files.get(table);
    if (there !== undefined) return there;
    const made = new TableFile(join(this.#dir, table), columns());
    this.#files.set(table, made);
    return made;
  }
}
