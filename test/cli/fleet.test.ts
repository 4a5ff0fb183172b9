// `parallax worker --parquet`: what tasks answered, as tables that other programs read, also where a worker was killed.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runCli } from '../support/cli.ts';
import { MISSING_DUCKDB, withDuckDb } from '../support/duckDb.ts';
import { compareTables, ENGINES, type EngineName, makeFleet, runAlone, runEngine } from '../support/fleets.ts';

let dir: string;
let tasks: string;
let one: string;
const COUNT = 20;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'parallax-fleet-'));
  tasks = makeFleet(dir, COUNT);
  one = join(dir, 'one');
  await runAlone({ tasks, out: one });
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

async function query(sql: string): Promise<unknown> {
  return withDuckDb(async (connection) => (await connection.runAndReadAll(sql)).getRowObjectsJson());
}

function filesOf(folder: string): readonly string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  return files.filter((each) => each.isFile()).map(({ name }) => name);
}

// What is in the tables, only DuckDB can say here.
beforeEach((context) => {
  if (MISSING_DUCKDB !== null) context.skip(MISSING_DUCKDB);
});

describe('tables, read by DuckDB', () => {
  test('hold what the same tasks answer as lines', async () => {
    const { stdout } = await runCli(['worker', '--jobs=1'], readFileSync(tasks, 'utf8'));
    const answers = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const results = (op: string) => answers.filter((answer) => answer.op === op).map(({ result }) => result);
    const uses = results('uses').flatMap((result) => result.uses);
    const gone = uses.filter(({ outcome }) => outcome === 'gone').length;
    expect(gone).toBeGreaterThan(0);
    expect(
      await query(
        `select count(*)::int as n, count(*) filter (outcome = 'gone')::int as gone from '${one}/uses/*.parquet'`,
      ),
    ).toEqual([{ n: uses.length, gone }]);
    const tokens = results('sweep')
      .flat()
      .reduce((sum: number, point) => sum + point.tokens.total, 0);
    expect(await query(`select sum(tokens) as tokens from '${one}/sweep/*.parquet'`)).toEqual([{ tokens }]);
    const failed = results('check').flatMap(({ transcripts }) => transcripts[0].outcomes);
    expect(
      await query(`select verdict, count(*)::int as n from '${one}/check/*.parquet' group by all order by verdict`),
    ).toEqual(
      ['failed', 'passed', 'unchecked'].flatMap((verdict) => {
        const n = failed.filter((outcome) => outcome.verdict === verdict).length;
        return n === 0 ? [] : [{ verdict, n }];
      }),
    );
    expect(await query(`select id, op, exit from '${one}/tasks/*.parquet' order by id`)).toEqual(
      answers.map(({ id, op, exit }) => ({ id, op, exit })).sort((a, b) => (a.id < b.id ? -1 : 1)),
    );
  });

  test('faults are rows of tasks; messages are as they were written', async () => {
    const out = join(dir, 'faults');
    const raw = '{"messages":[{"role":"user","content":"x","n":1.50e2}]}';
    const lines = [
      `{"id":7,"op":"project","transcript":${raw}}`,
      'not json',
      `{"id":"no","op":"lint","path":"${dir}/no"}`,
    ];
    const run = await runCli(['worker', '--jobs=1', '--parquet', out], lines.join('\n'));
    expect(run.code).toBe(0);
    expect(await query(`select id, op, error_code, "rows" from '${out}/tasks/*.parquet' order by id`)).toEqual([
      { id: '7', op: 'project', error_code: null, rows: 1 },
      { id: 'no', op: 'lint', error_code: 'input.unreadable', rows: 0 },
      { id: 'null', op: null, error_code: 'task.invalid', rows: 0 },
    ]);
    expect(await query(`select messages from '${out}/project/*.parquet'`)).toEqual([
      { messages: raw.slice('{"messages":'.length, -1) },
    ]);
  });

  test('the same lines again take the place of what was there', async () => {
    const before = filesOf(one);
    await runAlone({ tasks, out: one });
    expect(filesOf(one)).toEqual(before);
    expect(await compareTables(one, one)).toMatchObject({ tasks: COUNT, distinctTasks: COUNT });
  });

  test('a folder that cannot be written ends with 3', async () => {
    const run = await runCli(['worker', '--parquet', tasks], readFileSync(tasks, 'utf8'));
    expect([run.code, run.stderr]).toEqual([3, expect.stringContaining('cannot be made')]);
  });
});

describe('a worker killed in the middle: nothing lost, nothing doubled, as one process', () => {
  test.for(Object.keys(ENGINES) as EngineName[])('%s', async (engine, context) => {
    const missing = ENGINES[engine];
    if (missing !== null) return context.skip(missing);
    const out = join(dir, engine);
    const killed = `${out} killed`;
    const end = await runEngine(engine, { tasks, out, workers: 2, block: COUNT / 2, killed });
    expect(end.code, end.stderr).toBe(0);
    const ids = end.answers.map((line): unknown => JSON.parse(line).id);
    expect(ids.sort()).toEqual(Array.from({ length: COUNT }, (_, n) => `s${n}`).sort());
    // What the killed one had begun is there under no name that anybody reads.
    expect(filesOf(out).some((name) => name.includes('.partial-'))).toBe(true);
    const { tasks: done, distinctTasks, different } = await compareTables(out, one);
    expect([done, distinctTasks, different]).toEqual([COUNT, COUNT, 0]);
  });
});
