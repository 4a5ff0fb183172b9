import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli } from '../support/cli.ts';
import { compactedSession } from '../support/compactedSession.ts';

const session = compactedSession();
let dir: string;
let file: string;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'parallax-usage-'));
  file = join(dir, 'session.jsonl');
  writeFileSync(file, session.text);
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

test('parallax usage tells what stands out, and that it is a finding', async () => {
  const run = await runCli(['usage', file]);
  expect(run).toMatchObject({ code: 1, stderr: '' });
  expect(run.stdout).toContain('24 requests with recorded tokens.');
  expect(run.stdout).toContain('claude-sonnet-4-5: input ≈ ');
  expect(run.stdout).toMatch(/^warning {2}usage\.unexplained_drop {2}The recorded input fell from /m);
});

test('parallax usage --json gives the report', async () => {
  const run = await runCli(['usage', file, '--json']);
  expect(JSON.parse(run.stdout)).toMatchObject({
    problems: [{ code: 'usage.unexplained_drop', where: { index: session.dropIndex } }],
    fits: [{ model: 'claude-sonnet-4-5', requests: 18 }],
  });
});

test('parallax usage --requests lists them', async () => {
  const run = await runCli(['usage', file, '--requests']);
  expect(run.stdout.match(/^#\d+ /gm)).toHaveLength(24);
});

test('a transcript without usage is no finding', async () => {
  const plain = join(dir, 'plain.json');
  writeFileSync(plain, '{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]}');
  expect(await runCli(['usage', plain])).toMatchObject({
    code: 0,
    stdout: 'No request of this transcript records its tokens.\n',
  });
});

test('parallax project begins with what the runtime kept, if that is recorded and nothing else is asked for', async () => {
  const own = JSON.parse((await runCli(['project', file, '--json', '--no-tokens'])).stdout);
  expect(own).toMatchObject({ policy: 'recorded_compaction', spec: { name: 'as_recorded' } });
  expect(own.dropped_indices).toEqual(Array.from({ length: session.summaryIndex }, (_, index) => index));
  const raw = JSON.parse((await runCli(['project', file, '--policy', 'raw', '--json', '--no-tokens'])).stdout);
  expect(raw).toMatchObject({ policy: 'raw', dropped_indices: [] });
});
