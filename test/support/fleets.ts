// Fleets of small sessions, run by `parallax worker` in one process and by engines that exist.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { bundleOf } from './bundles.ts';
import { withDuckDb } from './duckDb.ts';

const CHECKOUT = resolve(import.meta.dirname, '..', '..');
const workerOf = (main: string) => [process.execPath, '--disable-warning=ExperimentalWarning', main, 'worker'];
/** The worker as tests start it. */
const WORKER = workerOf(bundleOf('cli/main.ts'));
const KILLED_ONCE = [process.execPath, join(CHECKOUT, 'test', 'support', 'killedOnce.ts')];

/** The engines, and why one cannot run here; null = it can. */
export const ENGINES = { 'GNU parallel': missingParallel(), Dask: missingDask() } as const;

export type EngineName = keyof typeof ENGINES;

const SPEC = { version: 1, stages: [{ kind: 'sliding_window', options: { turns: 1 } }] };
const RULES = { version: 1, policy: SPEC, rules: [{ watch: 'berth' }, { uses_gone: 3 }] };
const OPS = ['uses', 'project', 'sweep', 'findings', 'check'];

/** Writes `count` sessions and a task for each; the tasks, a line each. */
export function makeFleet(dir: string, count: number): string {
  mkdirSync(join(dir, 'sessions'), { recursive: true });
  const lines = Array.from({ length: count }, (_, n) => {
    const path = join(dir, 'sessions', `${n}.json`);
    writeFileSync(path, JSON.stringify({ model: 'gpt-4o', messages: session(n) }));
    const op = OPS[n % OPS.length];
    const more = op === 'check' ? { rules: RULES } : { spec: SPEC, ...(op === 'findings' && { prevented: false }) };
    return JSON.stringify({ id: `s${n}`, op, path, ...more });
  });
  const tasks = join(dir, 'tasks.jsonl');
  writeFileSync(tasks, `${lines.join('\n')}\n`);
  return tasks;
}

function session(n: number) {
  const turns = 3 + (n % 4);
  return Array.from({ length: turns }, (_, turn) => {
    const id = `call_${turn}`;
    const call = { name: 'read_file', arguments: `{"path":"docs/quay_${n % 7}.md"}` };
    return [
      { role: 'user', content: `Moor ship_${n} at berth_${9000 + n}, turn ${turn}.` },
      { role: 'assistant', content: '', tool_calls: [{ id, type: 'function', function: call }] },
      { role: 'tool', tool_call_id: id, content: `berth_${9000 + n} ${'quay '.repeat(20 + (n % 50))}` },
      { role: 'assistant', content: `ship_${n} lies at berth_${9000 + n}.` },
    ];
  }).flat();
}

/** A run over a fleet. */
export interface FleetRun {
  readonly tasks: string;
  /** Where tables are written. */
  readonly out: string;
  readonly workers: number;
  /** Tasks of one block or partition. */
  readonly block: number;
  /** A folder that is not there yet: one worker is killed in the middle, and its engine does that part again. Null = none is. */
  readonly killed: string | null;
}

/** How it ended. */
export interface FleetEnd {
  readonly code: number;
  readonly seconds: number;
  /** Lines of answers. */
  readonly answers: readonly string[];
  readonly stderr: string;
  /** Of the started process, at most; null = not asked. Unit: MB. */
  readonly peakMb: number | null;
}

/** All tasks by one worker in one process. */
export function runAlone({ tasks, out }: Pick<FleetRun, 'tasks' | 'out'>): Promise<FleetEnd> {
  return run([...WORKER, '--jobs', '1', '--parquet', out], tasks);
}

/** All tasks by the workers of an engine. */
export function runEngine(engine: EngineName, { tasks, out, workers, block, killed }: FleetRun): Promise<FleetEnd> {
  const kill = killed === null ? [] : [...KILLED_ONCE, killed];
  const command = [...kill, ...WORKER, '--jobs', '1', '--parquet', out];
  const counts = [String(workers), String(block)];
  if (engine === 'Dask')
    return run(['/usr/bin/python3', join(import.meta.dirname, 'fleet_dask.py'), tasks, ...counts, ...command]);
  return run(
    ['parallel', '--quote', '--pipe', '-N', String(block), '--retries', '3', '--jobs', String(workers), ...command],
    tasks,
  );
}

function run(command: readonly string[], input: string | null = null): Promise<FleetEnd> {
  const started = performance.now();
  const [program = '', ...args] = command;
  const child = spawn(program, args, { cwd: CHECKOUT });
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  let peakMb: number | null = null;
  const timer = setInterval(() => {
    peakMb = memoryOf(child.pid, 'VmHWM') ?? peakMb;
  }, 100);
  child.stdin.on('error', () => {});
  child.stdin.end(input === null ? '' : readFileSync(input));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      clearInterval(timer);
      const answers = Buffer.concat(out).toString('utf8').split('\n').filter(Boolean);
      const stderr = Buffer.concat(err).toString('utf8');
      resolve({ code: code ?? -1, seconds: (performance.now() - started) / 1000, answers, stderr, peakMb });
    });
  });
}

/** What a worker held when it had answered as many tasks. Unit: MB. */
export interface Resident {
  readonly answers: number;
  readonly mb: number;
}

/** Runs all tasks in one worker with one thread, and asks what it holds after each `every` answers; empty = not Linux. */
export function residentAlong(tasks: string, every: number): Promise<readonly Resident[]> {
  // From source: what it holds is measured, the same in tests and by itself.
  const [program = '', ...args] = [...workerOf(join(CHECKOUT, 'cli', 'main.ts')), '--jobs', '1'];
  const child = spawn(program, args, { cwd: CHECKOUT, stdio: ['pipe', 'pipe', 'inherit'] });
  const samples: Resident[] = [];
  let answers = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    const before = answers;
    for (const byte of chunk) if (byte === 0x0a) answers++;
    const mb = Math.floor(answers / every) > Math.floor(before / every) ? memoryOf(child.pid, 'VmRSS') : null;
    if (mb !== null) samples.push({ answers, mb });
  });
  child.stdin.end(readFileSync(tasks));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(samples);
      else reject(new Error(`the worker ended with ${code}`));
    });
  });
}

// Linux tells it of a process that runs.
function memoryOf(pid: number | undefined, what: 'VmHWM' | 'VmRSS'): number | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const kb = new RegExp(`^${what}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
    return kb === undefined ? null : Number(kb) / 1024;
  } catch {
    return null;
  }
}

/** The tables of a run, as DuckDB sees them beside those of another. */
export interface ComparedTables {
  readonly tasks: number;
  readonly distinctTasks: number;
  readonly rows: number;
  /** Rows that only one of the two has. */
  readonly different: number;
}

/** Reads the tables of two runs with DuckDB, and counts. */
export function compareTables(out: string, other: string): Promise<ComparedTables> {
  return withDuckDb(async (connection) => {
    const one = async (sql: string) => Number((await connection.runAndReadAll(sql)).getRows()[0]?.[0]);
    const all = (dir: string, table: string) => `from '${dir}/${table}/*.parquet'`;
    let [rows, different] = [0, 0];
    for (const table of ['tasks', ...OPS]) {
      const [here, there] = [`select * ${all(out, table)}`, `select * ${all(other, table)}`];
      if (table !== 'tasks') rows += await one(`select count(*) ${all(out, table)}`);
      different += await one(
        `select count(*) from ((${here} except all ${there}) union all (${there} except all ${here}))`,
      );
    }
    const tasks = await one(`select count(*) ${all(out, 'tasks')}`);
    const distinctTasks = await one(`select count(distinct task) ${all(out, 'tasks')}`);
    return { tasks, distinctTasks, rows, different };
  });
}

function missingParallel(): string | null {
  const found = spawnSync('parallel', ['--version'], { encoding: 'utf8' });
  return found.stdout?.startsWith('GNU parallel') ? null : 'GNU parallel is not installed (Debian: parallel)';
}

function missingDask(): string | null {
  const found = spawnSync('/usr/bin/python3', ['-c', 'import dask.bag, distributed']);
  return found.status === 0 ? null : 'Dask is not installed (Debian: python3-dask, python3-distributed)';
}
