/** `parallax project --ndjson` as a pipe over many small transcripts would use it: start-up, then requests a second. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
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

/** Throughput beyond what starting takes, with tokens counted and without. No aim: it says what to expect. */
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
  return rows;
}
