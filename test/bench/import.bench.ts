/** Import into the library against the least any import must do, in the same run: a recorded session, and a generated one of 100 MB. */
import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { runImport, runTokens } from '../../core/engine/jobs/index.ts';
import { Library } from '../../core/store/index.ts';
import { writeClaudeCodeFile } from '../support/generate.ts';
import { corpusFiles } from '../support/shared.ts';
import type { BenchOptions, BenchRow } from './types.ts';

const GROUP = 'import';
const ROUNDS = 3;

/** Read, parse each line, hash it, insert it as it is: one transaction, no index, nothing understood. */
function limit(dir: string, path: string): void {
  const db = new Database(join(dir, 'limit.sqlite'));
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = NORMAL');
  db.exec('CREATE TABLE lines (id INTEGER PRIMARY KEY, hash BLOB, text TEXT)');
  const insert = db.prepare<[Buffer, string]>('INSERT INTO lines (hash, text) VALUES (?, ?)');
  const run = db.transaction(() => {
    for (const line of readFileSync(path, 'utf8').split('\n')) {
      if (line === '') continue;
      JSON.parse(line);
      insert.run(hash('sha256', line, 'buffer'), line);
    }
  });
  run();
  db.close();
}

function openIn(dir: string): Library {
  const opened = Library.open(dir);
  if (!opened.ok) throw new Error(opened.error.text);
  return opened.value;
}

interface Measured {
  readonly seconds: number;
  readonly firstRowsSeconds: number;
  readonly tokensSeconds: number;
}

async function ours(dir: string, path: string): Promise<Measured> {
  const library = openIn(dir);
  const start = performance.now();
  let first = 0;
  const outcome = await runImport(library, path, {
    onProgress: () => {
      if (first === 0) first = performance.now();
    },
  });
  const end = performance.now();
  const id = outcome.transcripts[0]?.id;
  if (id === undefined) throw new Error(outcome.error?.text ?? 'no transcript');
  await runTokens(library, id, 'o200k_base');
  const counted = performance.now();
  library.close();
  return {
    seconds: (end - start) / 1000,
    firstRowsSeconds: (first - start) / 1000,
    tokensSeconds: (counted - end) / 1000,
  };
}

async function inTempDir<T>(run: (dir: string) => T | Promise<T>): Promise<T> {
  const dir = mkdtempSync(join(tmpdir(), 'parallax-bench-'));
  try {
    return await run(dir);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

const CHILD = `
const { Library } = await import(process.argv[1]);
const { runImport } = await import(process.argv[2]);
const opened = Library.open(process.argv[3]);
await runImport(opened.value, process.argv[4]);
opened.value.close();
console.log(process.resourceUsage().maxRSS / 1024);`;

/** Peak RSS in MB of a process that imports the file and does nothing else. */
function peakMemory(dir: string, path: string): number {
  const url = (file: string) => new URL(`../../core/${file}`, import.meta.url).href;
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', CHILD];
  const modules = [url('store/index.ts'), url('engine/jobs/index.ts')];
  return Number(execFileSync(process.execPath, [...args, ...modules, dir, path], { encoding: 'utf8' }));
}

/** About 100 MB of made-up session. */
const GENERATED_MESSAGES = 46_000;
const LIMIT = 'read + parse + SHA-256 + plain insert';

/** Throughput beside the limit, time to the first rows, token counting, peak memory of the whole process. */
async function rowsFor(path: string, what: string, rounds: number): Promise<BenchRow[]> {
  const megabytes = statSync(path).size / 1e6;
  const limits: number[] = [];
  const runs: Measured[] = [];
  for (let round = 0; round < rounds; round++) {
    runs.push(await inTempDir((dir) => ours(dir, path)));
    const start = performance.now();
    await inTempDir((dir) => limit(dir, path));
    limits.push((performance.now() - start) / 1000);
  }
  const best = (pick: (run: Measured) => number) => Math.min(...runs.map(pick));
  const value = megabytes / best(({ seconds }) => seconds);
  const most = megabytes / Math.min(...limits);
  const shared = { group: GROUP, note: `${megabytes.toFixed(1)} MB, best of ${rounds}` };
  const rss = await inTempDir((dir) => peakMemory(dir, path));
  return [
    { ...shared, name: `${what}: ${LIMIT}`, value: most, unit: 'MB/s' },
    {
      ...{ ...shared, name: `${what}: import`, value, unit: 'MB/s' },
      ...{ ratio: value / most, against: LIMIT, aim: '≥ 0.3 × the limit', ok: value / most >= 0.3 },
    },
    { ...shared, name: `${what}: first rows after`, value: best((run) => run.firstRowsSeconds) * 1000, unit: 'ms' },
    { ...shared, name: `${what}: tokens counted in`, value: best((run) => run.tokensSeconds) * 1000, unit: 'ms' },
    {
      ...{ ...shared, name: `${what}: peak memory (RSS) of an import`, value: rss, unit: 'MB', note: 'one run' },
      ...{ aim: '< 350 MB', ok: rss < 350 },
    },
  ];
}

/** The largest recorded session, where there is a corpus, and a generated one. */
export async function benchImport({ quick }: BenchOptions): Promise<readonly BenchRow[]> {
  const recorded = corpusFiles('claude-code').find((each) => each.includes('/large/'));
  const rows: BenchRow[] =
    recorded === undefined
      ? [{ group: GROUP, name: 'recorded session: skipped', value: 0, unit: '', note: 'no corpus to measure on' }]
      : await rowsFor(recorded, 'recorded session', ROUNDS);
  if (quick) return rows;
  const generated = await inTempDir((dir) => {
    const path = join(dir, 'session.jsonl');
    writeClaudeCodeFile(path, { messages: GENERATED_MESSAGES });
    return rowsFor(path, 'generated session', 2);
  });
  return [...rows, ...generated];
}
