import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli } from '../support/cli.ts';
import { claudeCodeFile } from '../support/generate.ts';

let dir: string;
let file: string;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'parallax-sweep-'));
  file = join(dir, 'session.jsonl');
  writeFileSync(file, claudeCodeFile({ messages: 60 }));
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

test('parallax sweep tells of every request what it holds, as project does, and what broke the cache', async () => {
  const spec = '{"policy":"summary_prefix","keep_last":5}';
  const run = await runCli(['sweep', file, '--spec', spec]);
  expect(run.code).toBe(0);
  const lines = run.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const last = lines.at(-1);
  expect(last).toMatchObject({ at: 60, items: 6, fates: { kept: 5, summarised: 55 }, blocked: false });
  expect(last.cache).toMatchObject({ prefixMessages: 0, brokenBy: { kind: 'summary_prefix', change: 'replaced' } });
  expect(lines[0].cache).toBeNull();
  const project = JSON.parse((await runCli(['project', file, '--spec', spec, '--json'])).stdout);
  expect(last.tokens.total).toBe(project.tokens.projected.total);
  expect(run.stderr).toMatch(/^parallax: \d+ requests; the cache broke at \d+ of them, which costs \$\d+\.\d\d more/);
  expect(run.stderr).toMatch(/requests, input alone: about \$\d+\.\d\d under this policy \(prices of claude/);
});

test('parallax sweep tells what goes out of the requests, once, and what stands for it', async () => {
  const spec = '{"version":1,"stages":[{"kind":"summary","options":{"when":"always","keep_turns":2}}]}';
  const lines = (await runCli(['sweep', file, '--no-tokens', '--spec', spec])).stdout.trim().split('\n');
  const requests = lines.map((line): { at: number; items: number; evicted: number[]; returned: number[] } =>
    JSON.parse(line),
  );
  const gone = new Set<number>();
  for (const { at, items, evicted, returned } of requests) {
    for (const index of evicted) gone.add(index);
    for (const index of returned) gone.delete(index);
    expect(items).toBe(at - gone.size + (gone.size > 0 ? 1 : 0));
  }
  expect(gone.size).toBeGreaterThan(0);
  expect(JSON.parse(lines.at(-1) ?? '').summaries).toEqual([
    { covers: [0, gone.size], stage: 0, rule: 'summary_placeholder', version: null },
  ]);
});

test('parallax sweep runs user code again at every call point, and says so', async () => {
  const run = await runCli([
    'sweep',
    file,
    '--no-tokens',
    '--spec',
    '{"policy":"custom","projector":"(m) => m.slice(-2)"}',
  ]);
  expect(run.stderr).toContain('custom must run again at every call point');
  expect(JSON.parse(run.stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({ at: 60, items: 2 });
});
