import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli } from '../support/cli.ts';
import { claudeCodeFile } from '../support/generate.ts';

let dir: string;
let file: string;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'parallax-compare-'));
  file = join(dir, 'session.jsonl');
  writeFileSync(file, claudeCodeFile({ messages: 60 }));
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

const SUMMARY = '{"policy":"summary_prefix","keep_last":5}';

interface Line {
  readonly at: number;
  readonly tokens: { readonly total: number };
  readonly cost: number;
  readonly cache: { readonly brokenBy: unknown } | null;
}

async function sweepOf(spec: string): Promise<readonly Line[]> {
  const { stdout } = await runCli(['sweep', file, '--spec', spec]);
  return stdout
    .trim()
    .split('\n')
    .map((line): Line => JSON.parse(line));
}

test('parallax compare equals two project runs, and its sums those of two sweeps', async () => {
  const run = await runCli(['compare', file, '--a', 'raw', '--b', SUMMARY, '--json']);
  expect(run.code).toBe(1);
  const result = JSON.parse(run.stdout);
  const project = JSON.parse((await runCli(['project', file, '--spec', SUMMARY, '--json'])).stdout);
  const gone = project.fates.flatMap(({ kind }: { kind: string }, index: number) => (kind === 'kept' ? [] : [index]));
  expect(result.messages.map(({ index }: { index: number }) => index)).toEqual(gone);
  expect(result.messages[0]).toMatchObject({ index: 0, differs: 'only_a', a: 'kept', b: 'summarised' });
  expect(result.made).toHaveLength(1);
  for (const [side, spec] of [
    ['a', 'raw'],
    ['b', SUMMARY],
  ] as const) {
    const lines = await sweepOf(spec);
    const totals = lines.map(({ tokens }) => tokens.total);
    const { tokens, cost, cacheBreaks, requests } = result[side];
    expect(requests).toBe(lines.length);
    expect(tokens.peak).toBe(Math.max(...totals));
    expect(tokens.mean).toBeCloseTo(totals.reduce((sum, each) => sum + each, 0) / totals.length, 6);
    expect(cost).toBeCloseTo(
      lines.reduce((sum, line) => sum + line.cost, 0),
      9,
    );
    expect(cacheBreaks).toBe(lines.filter(({ cache }) => cache?.brokenBy).length);
  }
});

test('parallax compare exits with 0 where the requests asked for are equal', async () => {
  const equal = await runCli(['compare', file, '--a', 'raw', '--b', 'as_recorded', '--all', '--json']);
  expect(equal.code).toBe(0);
  expect(JSON.parse(equal.stdout)).toMatchObject({ at: 'all', equal: true, firstDifferenceAt: null, messages: [] });
  const early = await runCli(['compare', file, '--a', 'raw', '--b', SUMMARY, '--at', '3', '--json']);
  expect(early.code).toBe(0);
  const { firstDifferenceAt } = JSON.parse(early.stdout);
  const at = (point: number) => runCli(['compare', file, '--a', 'raw', '--b', SUMMARY, '--at', String(point)]);
  expect((await at(firstDifferenceAt)).code).toBe(1);
  expect((await at(firstDifferenceAt)).stdout).toContain(`the first request that differs is #${firstDifferenceAt}`);
});

test('parallax compare refuses what it cannot compare', async () => {
  expect((await runCli(['compare', file, '--a', 'raw'])).code).toBe(2);
  expect((await runCli(['compare', file, '--a', 'raw', '--b', '{"policy":"nonsense"}'])).code).toBe(2);
  expect((await runCli(['compare', file, '--a', 'raw', '--b', 'raw', '--at', '3', '--all'])).code).toBe(2);
});
