import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli } from '../support/cli.ts';
import { claudeCodeFile } from '../support/generate.ts';

let dir: string;
let file: string;
let other: string;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'parallax-tune-'));
  file = join(dir, 'session.jsonl');
  other = join(dir, 'other.jsonl');
  writeFileSync(file, claudeCodeFile({ messages: 60 }));
  writeFileSync(other, claudeCodeFile({ messages: 24 }));
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

const SPEC = '{"version":1,"stages":["clean_tool_repair",{"kind":"summary_prefix","options":{"keep_last":5}}]}';

interface Point {
  readonly values: Readonly<Record<string, number>>;
  readonly spec: unknown;
  readonly tokens: { readonly mean: number; readonly p95: number; readonly peak: number };
  readonly cost: number;
  readonly cacheBreaks: number;
  readonly usesGone: number;
  readonly watchpointsGone: number;
  readonly front: boolean;
  readonly best?: boolean;
  readonly proved?: boolean;
  readonly breaks?: readonly string[];
  readonly sessions?: readonly { readonly transcript: string; readonly requests: number }[];
}

async function linesOf<T>(args: readonly string[]): Promise<{ code: number; stderr: string; lines: readonly T[] }> {
  const { code, stderr, stdout } = await runCli(args);
  const lines = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line): T => JSON.parse(line));
  return { code, stderr, lines };
}

const tune = (...more: readonly string[]) => linesOf<Point>(['tune', file, '--spec', SPEC, '--json', ...more]);

test('parallax tune gives at each point what sweep gives of its spec', async () => {
  const { code, lines } = await tune('--vary', 'summary_prefix.keep_last=4..12:4');
  expect(code).toBe(0);
  expect(lines.map(({ values }) => values)).toEqual([4, 8, 12].map((value) => ({ 'summary_prefix.keep_last': value })));
  for (const { spec, tokens, cost, cacheBreaks } of lines) {
    type Line = { tokens: { total: number }; cost: number; cache: { brokenBy: unknown } | null };
    const { lines: swept } = await linesOf<Line>(['sweep', file, '--spec', JSON.stringify(spec)]);
    const totals = swept.map((line) => line.tokens.total).sort((a, b) => a - b);
    const mean = totals.reduce((sum, each) => sum + each, 0) / totals.length;
    expect(tokens).toEqual({ mean, p95: totals[Math.ceil(totals.length * 0.95) - 1], peak: totals.at(-1) });
    expect(cost).toBeCloseTo(
      swept.reduce((sum, line) => sum + line.cost, 0),
      9,
    );
    expect(cacheBreaks).toBe(swept.filter(({ cache }) => cache?.brokenBy).length);
  }
  const beaten = lines.map((line) => lines.some((by) => by.cost < line.cost && by.usesGone <= line.usesGone));
  expect(lines.map(({ front }) => front)).toEqual(beaten.map((each) => !each));
});

test('parallax tune with an aim proves the best point, or says that none meets the conditions', async () => {
  const vary = ['--vary', 'summary_prefix.keep_last=2,6,10'];
  const { code, stderr, lines } = await tune(...vary, '--aim', 'tokens');
  expect(code).toBe(0);
  const best = lines.filter(({ best }) => best === true);
  expect(best).toHaveLength(1);
  expect(best[0]?.proved).toBe(true);
  expect(best[0]?.tokens.mean).toBe(Math.min(...lines.map(({ tokens }) => tokens.mean)));
  expect(stderr).toContain('3 specs tried of 3');
  const none = await tune(...vary, '--aim', 'money', '--max-peak', '1');
  expect(none.code).toBe(1);
  expect(none.stderr).toContain('no point meets the conditions');
  expect(none.lines.every(({ breaks }) => breaks?.includes('max_peak'))).toBe(true);
});

test('parallax tune finds the values at which a request changes: each differs from the value below', async () => {
  const { code, stderr, lines } = await tune('--vary', 'summary_prefix.keep_last=critical');
  expect(code).toBe(0);
  const values = lines.map((line) => line.values['summary_prefix.keep_last'] ?? -1);
  expect(values.length).toBeGreaterThan(3);
  expect(stderr).toContain(`${values.length} values at which something changes`);
  expect(Math.max(...values)).toBeLessThanOrEqual(60);
  const chosen = values.slice(1, 4);
  const below = (await tune('--vary', `summary_prefix.keep_last=${chosen.map((value) => value - 1).join(',')}`)).lines;
  for (const [at, value] of chosen.entries()) {
    expect(lines.find((line) => line.values['summary_prefix.keep_last'] === value)?.tokens).not.toEqual(
      below[at]?.tokens,
    );
  }
});

test('parallax tune adds up several files, and shows each', async () => {
  const args = ['tune', file, other, '--spec', SPEC, '--json', '--vary', 'summary_prefix.keep_last=4'];
  const { lines } = await linesOf<Point>(args);
  const [point] = lines;
  expect(point?.sessions?.map(({ transcript }) => transcript)).toEqual([file, other]);
  const [one] = (await tune('--vary', 'summary_prefix.keep_last=4')).lines;
  const requests = point?.sessions?.map((session) => session.requests) ?? [];
  expect(requests[1]).toBeLessThan(requests[0] ?? 0);
  expect(point?.cost).toBeGreaterThan(one?.cost ?? 0);
  expect(point?.tokens.peak).toBe(one?.tokens.peak);
});

test('parallax tune gives the same whatever the number of threads, as JSON and as CSV', async () => {
  const vary = ['--vary', 'summary_prefix.keep_last=2..12:2', '--keep', 'the'];
  const one = await tune(...vary, '--jobs', '1');
  const three = await tune(...vary, '--jobs', '3');
  expect(three.lines).toEqual(one.lines);
  const { stdout } = await runCli(['tune', file, '--spec', SPEC, '--csv', ...vary]);
  const [head = '', ...rows] = stdout.trimEnd().split('\n');
  const names = head.split(',');
  expect(names.slice(0, 4)).toEqual(['summary_prefix.keep_last', 'mean', 'p95', 'peak']);
  expect(rows).toHaveLength(6);
  for (const [at, row] of rows.entries()) {
    const cells = row.split(',');
    const cell = (name: string) => cells[names.indexOf(name)];
    const point = one.lines[at];
    expect(cell('peak')).toBe(String(point?.tokens.peak));
    expect(cell('cost')).toBe(String(point?.cost));
    expect(cell('usesGone')).toBe(String(point?.usesGone));
    expect(cell('front')).toBe(String(point?.front));
  }
  expect((await tune(...vary, '--jobs', '0')).code).toBe(2);
});

test('parallax tune refuses what it cannot vary', async () => {
  expect((await tune()).code).toBe(2);
  expect((await tune('--vary', 'summary_prefix.keep_last=x')).stderr).toContain('keep_last cannot be x');
  expect((await tune('--vary', 'hygiene.profile=x')).stderr).toContain('the spec has no stage hygiene');
  expect((await tune('--vary', 'summary_prefix.keep_last=1..900', 'clean_tool_repair.x=1')).code).toBe(2);
});

test('parallax tune takes the transcripts of the library that fit a filter', async () => {
  const library = ['--library', join(dir, 'library')];
  const files = [20, 30].map((messages) => {
    const path = join(dir, `of-${messages}.jsonl`);
    writeFileSync(path, claudeCodeFile({ messages, seed: messages }));
    return path;
  });
  await runCli(['import', ...files, ...library]);
  const listed = await linesOf<{ id: string; messages: number }>(['ls', '--json', ...library]);
  const wanted = listed.lines.filter(({ messages }) => messages > 25).map(({ id }) => id);
  const args = ['--spec', SPEC, '--vary', 'summary_prefix.keep_last=4,8', '--json', ...library];
  const byFilter = await linesOf<Point>(['tune', '--filter', 'messages>25', ...args]);
  expect(byFilter.code).toBe(0);
  expect(byFilter.lines).toHaveLength(2);
  expect(byFilter.lines).toEqual((await linesOf<Point>(['tune', ...wanted, ...args])).lines);
  const both = await linesOf<Point>(['tune', '--filter', 'messages>1', ...args]);
  expect(both.lines[0]?.sessions?.map(({ transcript }) => transcript).toSorted()).toEqual(
    listed.lines.map(({ id }) => id).toSorted(),
  );
  const none = await runCli(['tune', '--filter', 'messages>99', ...args]);
  expect([none.code, none.stderr]).toEqual([3, expect.stringContaining('no transcript of the library fits')]);
  const slip = await runCli(['tune', '--filter', 'x mesages>3', ...args]);
  expect([slip.code, slip.stderr]).toEqual([2, expect.stringContaining('(character 3 of the filter)')]);
  const nothing = await runCli(['tune', ...args]);
  expect([nothing.code, nothing.stderr]).toEqual([2, expect.stringContaining('give files, ids, or --filter')]);
});
