/**
 * The command line over many small transcripts: `parallax project --ndjson` as a pipe would use it (start-up, then requests a
 * second), `parallax check` over a folder.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { threadsHere } from '../../core/engine/threads/index.ts';
import { makeFleet } from '../support/fleets.ts';
import { claudeCodeLines } from '../support/generate.ts';
import { median } from './measure.ts';
import type { BenchOptions, BenchRow } from './types.ts';

const GROUP = 'cli';
const CHECKOUT = resolve(import.meta.dirname, '..', '..');
const SPECS = ['clean_tool_repair', 'reachability_gc', { policy: 'summary_prefix', keep_last: 6 }];
const MESSAGES = 20;
const ROUNDS = 3;

function requests(count: number): string {
  const lines: string[] = [];
  for (let id = 0; id < count; id++) {
    const messages: unknown[] = [];
    for (const line of claudeCodeLines({ messages: MESSAGES, seed: 1 + (id % 50) })) {
      const record: { readonly message: unknown } = JSON.parse(line);
      messages.push(record.message);
    }
    lines.push(JSON.stringify({ id, messages, spec: SPECS[id % SPECS.length] }));
  }
  return `${lines.join('\n')}\n`;
}

/** Seconds from start to end of the process that answers this input; checks that every line was answered. */
async function secondsOf(input: string, extra: readonly string[]): Promise<number> {
  const args = ['--disable-warning=ExperimentalWarning', join('cli', 'main.ts'), 'project', '--ndjson', ...extra];
  const start = performance.now();
  const child = spawn(process.execPath, args, { cwd: CHECKOUT, stdio: ['pipe', 'pipe', 'inherit'] });
  let answers = 0;
  let failures = 0;
  let rest = '';
  child.stdout.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString('utf8')).split('\n');
    rest = lines.pop() ?? '';
    answers += lines.length;
    failures += lines.filter((line) => line.includes('"error":{"code"')).length;
  });
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  const asked = input.split('\n').length - 1;
  if (code !== 0 || answers !== asked || failures > 0) {
    throw new Error(`project --ndjson: exit ${code}, ${answers} of ${asked} answered, ${failures} with an error`);
  }
  return (performance.now() - start) / 1000;
}

async function medianSeconds(input: string, extra: readonly string[]): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) times.push(await secondsOf(input, extra));
  return median(times);
}

const CHECK_RULES = {
  version: 1,
  policy: { version: 1, stages: [{ kind: 'sliding_window', options: { turns: 1 } }] },
  rules: [{ watch: 'berth' }, { uses_gone: 99 }, { tokens: 100_000 }],
};

/** Seconds in which `parallax check` holds rules against every session of a folder; checks that it did. */
async function checkSeconds(dir: string, count: number): Promise<number> {
  const rules = join(dir, 'rules.json');
  writeFileSync(rules, JSON.stringify(CHECK_RULES));
  const options = ['check', '--format=json', rules, join(dir, 'sessions')];
  const args = ['--disable-warning=ExperimentalWarning', join('cli', 'main.ts'), ...options];
  const start = performance.now();
  const child = spawn(process.execPath, args, { cwd: CHECKOUT, stdio: ['ignore', 'pipe', 'inherit'] });
  const out: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  const [code] = await once(child, 'close');
  const seconds = (performance.now() - start) / 1000;
  if (code !== 0) throw new Error(`check: exit ${code}`);
  const { transcripts }: { readonly transcripts: readonly unknown[] } = JSON.parse(Buffer.concat(out).toString('utf8'));
  if (transcripts.length !== count) {
    throw new Error(`check: ${transcripts.length} of ${count} sessions checked`);
  }
  return seconds;
}

async function benchCheck(quick: boolean): Promise<BenchRow> {
  const count = quick ? 100 : 1_000;
  const dir = mkdtempSync(join(tmpdir(), 'parallax-bench-check-'));
  try {
    makeFleet(dir, count);
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) times.push(await checkSeconds(dir, count));
    const value = median(times);
    const note = `3 rules, 12 to 24 messages each, ${threadsHere()} threads, start included, median of ${ROUNDS}`;
    const name = `check, ${count} small sessions`;
    return { group: GROUP, name, value, unit: 's', note, ...(!quick && { aim: '≤ 20 s', ok: value <= 20 }) };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Throughput beyond what starting takes, with tokens counted and without (no aim: it says what to expect), and a folder checked. */
export async function benchCli({ quick }: BenchOptions): Promise<readonly BenchRow[]> {
  const asked = quick ? 200 : 2_000;
  const input = requests(asked);
  const note = `${asked} requests of ${MESSAGES} messages, ${(input.length / 1e6).toFixed(1)} MB, median of ${ROUNDS}`;
  const start = await medianSeconds(requests(1), []);
  const rows: BenchRow[] = [{ group: GROUP, name: 'one request, start to end', value: start * 1000, unit: 'ms' }];
  for (const [what, extra] of [
    ['tokens counted', []],
    ['--no-tokens', ['--no-tokens']],
  ] as const) {
    const value = (asked - 1) / ((await medianSeconds(input, extra)) - start);
    rows.push({ group: GROUP, name: `project --ndjson, ${what}`, value, unit: 'requests/s', note });
  }
  rows.push(await benchCheck(quick));
  return rows;
}
