import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { runCli } from '../support/cli.ts';
import { ONE_TURN, readAgainJson } from '../support/readAgain.ts';

const Line = z.object({
  transcript: z.string(),
  kind: z.string(),
  at: z.int(),
  evidence: z.string(),
  tokens: z.number().nullable(),
  cost: z.number().nullable(),
  preventedBy: z.array(z.string()),
  certainty: z.string(),
});

let dir: string;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'parallax-findings-'));
  mkdirSync(join(dir, 'folder'));
  writeFileSync(join(dir, 'folder', 'session.json'), readAgainJson());
  writeFileSync(join(dir, 'folder', 'notes.txt'), 'This is no transcript.');
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

const SPEC = JSON.stringify(ONE_TURN);

test('parallax findings of a folder: a line of JSON each, and what is not a transcript is told', async () => {
  const run = await runCli(['findings', join(dir, 'folder'), '--spec', SPEC, '--json']);
  expect(run.code).toBe(1);
  expect(run.stderr).toContain('1 file skipped');
  const lines = run.stdout
    .trim()
    .split('\n')
    .map((line) => Line.parse(JSON.parse(line)));
  const forgotten = lines.find(({ kind }) => kind === 'forgotten');
  expect(forgotten).toMatchObject({ at: 7, transcript: join(dir, 'folder', 'session.json') });
  expect(forgotten?.tokens).toBeGreaterThan(30);
  expect(forgotten?.cost).toBeGreaterThan(0);
  expect(forgotten?.preventedBy).toContain('raw');
});

test('parallax findings --also names further policies that prevent one', async () => {
  const window = (turns: number, name?: string) =>
    JSON.stringify({ version: 1, ...(name && { name }), stages: [{ kind: 'sliding_window', options: { turns } }] });
  const file = join(dir, 'folder', 'session.json');
  const also = ['--also', window(40, 'forty'), window(1, 'the same')];
  const run = await runCli(['findings', file, '--spec', SPEC, '--json', ...also]);
  const lines = run.stdout
    .trim()
    .split('\n')
    .map((line) => Line.parse(JSON.parse(line)));
  const forgotten = lines.find(({ kind }) => kind === 'forgotten');
  expect(forgotten?.preventedBy.slice(0, 2)).toEqual(['forty', 'raw']);
  expect(forgotten?.preventedBy).not.toContain('the same');
  const wrong = await runCli(['findings', file, '--also', '{"version":1,"stages":[{"kind":"none_such"}]}']);
  expect([wrong.code, wrong.stderr.includes('none_such')]).toEqual([2, true]);
});

test('parallax findings without any ends with 0; a file that is not there with 3', async () => {
  const none = await runCli(['findings', join(dir, 'folder', 'session.json')]);
  expect(none).toMatchObject({ code: 0 });
  expect(none.stdout).toContain('no findings');
  expect(await runCli(['findings', join(dir, 'nowhere.json')])).toMatchObject({ code: 3 });
  expect(await runCli(['findings', join(dir, 'folder', 'notes.txt')])).toMatchObject({ code: 3 });
});
