/**
 * A session as large as people report them: imported by the real job, opened and explored in a fresh process. 200 MB, or
 * 2 GB with --big (or PARALLAX_BENCH_BIG=1), each step in a process of its own; and one line of 200 MB.
 */
import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { createReadStream, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import Database from 'better-sqlite3';
import { writeSession } from '../support/corpus/write.ts';
import type { BigImport, BigOpen } from './bigSteps.ts';
import type { BenchOptions, BenchRow } from './types.ts';

const GROUP = 'big';
const SEED = 7;
const MB = 1e6;
const STEPS = join(import.meta.dirname, 'bigSteps.ts');
const LIMIT = 'read + parse + SHA-256 + plain insert';

/** The import and what follows it. */
export async function benchBig({ quick, big = false }: BenchOptions): Promise<readonly BenchRow[]> {
  const bytes = (big || process.env.PARALLAX_BENCH_BIG === '1' ? 2_000 : quick ? 20 : 200) * MB;
  const dir = mkdtempSync(join(tmpdir(), 'parallax-big-'));
  try {
    const path = join(dir, 'session.jsonl');
    writeSession(path, { messages: 0, seed: SEED, bytes });
    const rows = [...(await importRows(dir, path)), ...openRows(dir, path)];
    rmSync(path);
    return [...rows, ...lineRows(dir, quick ? 20 * MB : 200 * MB)];
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function importRows(dir: string, path: string): Promise<readonly BenchRow[]> {
  const megabytes = statSync(path).size / MB;
  const least = megabytes / (await limitSeconds(dir, path));
  const seen: BigImport = step('import', join(dir, 'library'), path);
  const rate = megabytes / (seen.importMs / 1000);
  const what = `${Math.round(megabytes)} MB session`;
  return [
    row(`${what}: ${LIMIT}`, least, 'MB/s'),
    { ...row(`${what}: import`, rate, 'MB/s'), ratio: rate / least, against: LIMIT, note: outcomeOf(seen) },
    aimed(`${what}: peak memory (RSS) of the process that imports`, seen.peakMb, 'MB', 700),
    aimed(`${what}: from the start of its import to first rows`, seen.firstRowsMs ?? Number.NaN, 'ms', 5_000),
  ];
}

function outcomeOf({ transcripts, problems, error }: BigImport): string {
  return error ?? `${transcripts} transcripts, ${problems} problems`;
}

function openRows(dir: string, path: string): readonly BenchRow[] {
  const seen: BigOpen = step('open', join(dir, 'library'), path);
  const what = `${seen.messages} messages`;
  return [
    aimed(`${what}: from the start of the engine to first rows`, seen.firstRowsMs, 'ms', 1_500),
    row(`${what}: open`, seen.openMs, 'ms'),
    row(`${what}: first projection`, seen.setMs, 'ms'),
    row(`${what}: series for the scrubber`, seen.seriesMs, 'ms'),
    row(`${what}: scrub to a call point, median`, seen.scrubMedianMs, 'ms'),
    row(`${what}: scrub to a call point, p95`, seen.scrubP95Ms, 'ms'),
    row(`${what}: scrub under clean_tool_repair, median`, seen.policyScrubMedianMs, 'ms'),
    row(`${what}: scrub under clean_tool_repair, p95`, seen.policyScrubP95Ms, 'ms'),
    row(`${what}: 60 rows anywhere, median`, seen.rowsMedianMs, 'ms'),
    row(`${what}: 60 rows anywhere, p95`, seen.rowsP95Ms, 'ms'),
    row(`${what}: memory (RSS) right after`, seen.busyMb, 'MB'),
    row(`${what}: memory (RSS) at rest`, seen.restMb, 'MB'),
  ];
}

/** One record that is longer than most files. */
function lineRows(dir: string, bytes: number): readonly BenchRow[] {
  const path = join(dir, 'line.jsonl');
  const ids = {
    sessionId: 's',
    uuid: 'u',
    parentUuid: null,
    isSidechain: false,
    timestamp: '2026-01-05T09:00:00.000Z',
  };
  const message = { role: 'user', content: 'a line of words, '.repeat(Math.ceil(bytes / 17)) };
  writeFileSync(path, `${JSON.stringify({ ...ids, type: 'user', message })}\n`);
  const seen: BigImport = step('import', join(dir, 'line'), path);
  const what = `one line of ${Math.round(bytes / MB)} MB`;
  return [
    { ...row(`${what}: import`, seen.importMs, 'ms'), ok: seen.error === null, aim: 'is read', note: outcomeOf(seen) },
    row(`${what}: peak memory (RSS)`, seen.peakMb, 'MB'),
  ];
}

/** The least any import must do, line by line: the file may not fit into memory. */
async function limitSeconds(dir: string, path: string): Promise<number> {
  const started = performance.now();
  const db = new Database(join(dir, 'limit.sqlite'));
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = NORMAL');
  db.exec('CREATE TABLE lines (id INTEGER PRIMARY KEY, hash BLOB, text TEXT)');
  const insert = db.prepare<[Buffer, string]>('INSERT INTO lines (hash, text) VALUES (?, ?)');
  const batch = db.transaction((lines: readonly string[]) => {
    for (const line of lines) {
      JSON.parse(line);
      insert.run(hash('sha256', line, 'buffer'), line);
    }
  });
  let lines: string[] = [];
  for await (const line of createInterface({ input: createReadStream(path, { highWaterMark: 1 << 20 }) })) {
    if (lines.push(line) < 2_000) continue;
    batch(lines);
    lines = [];
  }
  batch(lines);
  db.close();
  for (const suffix of ['', '-wal', '-shm']) rmSync(join(dir, `limit.sqlite${suffix}`), { force: true });
  return (performance.now() - started) / 1000;
}

function step<T>(name: 'import' | 'open', library: string, path: string): T {
  const args = ['--disable-warning=ExperimentalWarning', STEPS, name, library, path];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}

function row(name: string, value: number, unit: string): BenchRow {
  return { group: GROUP, name, value, unit };
}

function aimed(name: string, value: number, unit: string, most: number): BenchRow {
  return { ...row(name, value, unit), aim: `< ${most} ${unit}`, ok: value < most };
}
