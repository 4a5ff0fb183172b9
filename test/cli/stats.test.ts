// `parallax stats` looks through what is new, and ends where nothing is: on an empty library, and the second time.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runCli } from '../support/cli.ts';

const ROLLOUT = join(import.meta.dirname, '../fixtures/codex/rollout.jsonl');
const dir = mkdtempSync(join(tmpdir(), 'parallax-cli-stats-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const library = ['--library', join(dir, 'lib')];

test('it ends on an empty library, after the first look, and where nothing is new', async () => {
  const stats = async () => {
    const run = await runCli(['stats', '--json', ...library]);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    return JSON.parse(run.stdout);
  };
  expect(await stats()).toMatchObject({ of: 0, looked: 0, due: 0 });
  expect((await runCli(['import', ROLLOUT, ...library])).code).toBe(0);
  const first = await stats();
  expect(first).toMatchObject({ of: 1, looked: 1, due: 0 });
  expect(await stats()).toEqual(first);
}, 60_000);
