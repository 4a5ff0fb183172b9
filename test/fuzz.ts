// npm run fuzz [-- --count 200000 --seed 1 --threads 2]   Damages corpus files and fixtures by seed and reads them. Tells
// crashes, faults (each with the seed that repeats it) and readings that took longer than ten seconds. Exit code 1 if any.
import { Worker } from 'node:worker_threads';
import { Command, InvalidArgumentError } from 'commander';
import { damageableFiles } from './support/damage.ts';
import type { FuzzMessage } from './support/fuzzWorker.ts';

const HANG_MS = 10_000;
const WATCH_MS = 500;

function count(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0) throw new InvalidArgumentError('It must be a whole number.');
  return value;
}

interface Options {
  readonly count: number;
  readonly seed: number;
  readonly threads: number;
}

interface Totals {
  done: number;
  broken: number;
  failed: number;
  hung: number;
  slowestMs: number;
  slowest: string;
}

const options = new Command('fuzz')
  .description('Reads damaged files.')
  .option('--count <n>', 'how many', count, 20_000)
  .option('--seed <n>', 'the first seed', count, 0)
  .option('--threads <n>', 'threads', count, 2)
  .parse()
  .opts<Options>();

const totals: Totals = { done: 0, broken: 0, failed: 0, hung: 0, slowestMs: 0, slowest: '' };
const startedAt = performance.now();
const share = Math.ceil(options.count / Math.max(1, options.threads));
const shares = Array.from({ length: Math.max(1, options.threads) }, (_, thread) => ({
  from: options.seed + thread * share,
  to: Math.min(options.seed + options.count, options.seed + (thread + 1) * share),
}));
await Promise.all(shares.map(({ from, to }) => runShare(from, to)));
const seconds = (performance.now() - startedAt) / 1000;
console.log(`slowest: ${totals.slowestMs.toFixed(0)} ms, ${totals.slowest}`);
console.log(
  `${totals.done} damaged files of ${damageableFiles().length}, ${totals.broken} with broken records: ` +
    `${totals.failed} faults, ${totals.hung} over ${HANG_MS / 1000} s, ${seconds.toFixed(0)} s`,
);
process.exitCode = totals.failed + totals.hung > 0 ? 1 : 0;

// A thread that hangs or dies is ended, its seed told, and another takes up behind it.
async function runShare(from: number, to: number): Promise<void> {
  for (let next = from; next < to; ) next = await runThread(next, to);
}

function runThread(from: number, to: number): Promise<number> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL('./support/fuzzWorker.ts', import.meta.url), { workerData: { from, to } });
    let seed = from;
    let replay = `seed ${from}`;
    let busy = { seed: -1, since: 0 };
    const leave = (next: number): void => {
      clearInterval(watch);
      void worker.terminate().then(() => resolve(next));
    };
    // In time that the thread itself had: on a busy machine the clock says nothing.
    const watch = setInterval(async () => {
      const { user, system } = await worker.cpuUsage().catch(() => ({ user: 0, system: 0 }));
      const now = (user + system) / 1000;
      if (busy.seed !== seed) busy = { seed, since: now };
      if (now - busy.since < HANG_MS) return;
      totals.hung++;
      console.log(`HANG ${replay}`);
      leave(seed + 1);
    }, WATCH_MS);
    worker.on('message', (message: FuzzMessage) => {
      if (message.kind === 'start') {
        seed = message.seed;
        replay = message.replay;
        return;
      }
      take(message);
      if (message.seed === to - 1) leave(to);
    });
    worker.on('error', (error) => {
      totals.failed++;
      console.log(`CRASH ${replay}: ${error.stack ?? String(error)}`);
      leave(seed + 1);
    });
  });
}

function take(message: Extract<FuzzMessage, { kind: 'end' }>): void {
  totals.done++;
  if (message.broken > 0) totals.broken++;
  if (message.faults.length > 0) {
    totals.failed++;
    console.log(`FAULT ${message.replay}: ${message.faults.join('; ')}`);
  }
  if (message.ms > totals.slowestMs) {
    totals.slowestMs = message.ms;
    totals.slowest = message.replay;
  }
  if (totals.done % 10_000 === 0) console.log(`${totals.done} done, ${totals.failed} faults`);
}
