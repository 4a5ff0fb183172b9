// `npm run fleets:table [-- COUNT]`: sessions by one process, and by the engines of docs/fleets.md: 1 and 2 workers, and 2 of
// which one is killed in the middle. What is compared are the tables, by DuckDB.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MISSING_DUCKDB } from './support/duckDb.ts';
import { compareTables, ENGINES, type EngineName, makeFleet, runAlone, runEngine } from './support/fleets.ts';

const count = Number(process.argv[2] ?? 2_000);
const block = Math.max(1, Math.round(count / 8));
const say = (...cells: readonly (string | number)[]) => console.log(`| ${cells.join(' | ')} |`);
let failures = 0;
if (MISSING_DUCKDB !== null) {
  console.error(`the tables cannot be compared: ${MISSING_DUCKDB}`);
  process.exit(2);
}
const dir = mkdtempSync(join(tmpdir(), 'parallax-fleets-'));

try {
  const tasks = makeFleet(dir, count);
  const one = join(dir, 'one');
  say('who', 'workers', 'killed', 'answers', 'tasks', 'twice', 'rows', 'different', 'seconds');
  say(...Array.from({ length: 9 }, () => '---'));
  const alone = await runAlone({ tasks, out: one });
  const counted = await compareTables(one, one);
  say('one process', 1, 0, alone.answers.length, counted.tasks, 0, counted.rows, 0, alone.seconds.toFixed(1));
  for (const engine of Object.keys(ENGINES) as EngineName[]) await runs(engine, tasks, one);
  console.log(`\none process: ${alone.peakMb?.toFixed(0) ?? '?'} MB at most`);
} finally {
  rmSync(dir, { recursive: true, force: true });
}
process.exitCode = failures === 0 ? 0 : 1;

async function runs(engine: EngineName, tasks: string, one: string): Promise<void> {
  const missing = ENGINES[engine];
  if (missing !== null) {
    console.log(`| ${engine} | left out: ${missing} |`);
    return;
  }
  const seconds: number[] = [];
  for (const [workers, isKilled] of [
    [1, false],
    [2, false],
    [2, true],
  ] as const) {
    const out = join(dir, `${engine}-${workers}-${isKilled}`);
    const killed = isKilled ? `${out}-killed` : null;
    const end = await runEngine(engine, { tasks, out, workers, block, killed });
    const { tasks: done, distinctTasks, rows, different } = await compareTables(out, one);
    const twice = done - distinctTasks;
    if (end.answers.length !== count || done !== count || twice !== 0 || different !== 0) failures++;
    const told = [end.answers.length, done, twice, rows, different, end.seconds.toFixed(1)];
    say(engine, workers, isKilled ? 1 : 0, ...told);
    if (!isKilled) seconds.push(end.seconds);
    rmSync(out, { recursive: true, force: true });
  }
  const [first = 0, second = 1] = seconds;
  console.log(`| ${engine}: 2 workers do ${(first / second).toFixed(2)} × what 1 does |`);
}
