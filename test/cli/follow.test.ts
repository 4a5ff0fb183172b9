import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { sessionLines } from '../store/support.ts';
import { runCli } from '../support/cli.ts';
import { tempDir } from '../support/tempLibrary.ts';

const lines = (from: number, to: number) =>
  sessionLines(Array.from({ length: to }, (_, i) => ({ role: 'user', content: `message ${i}` })))
    .slice(from, to)
    .map((line) => `${line}\n`)
    .join('');

test('import of a folder: one line a transcript, the rest in a sentence', async () => {
  const dir = tempDir();
  const folder = join(dir, 'sessions');
  mkdirSync(folder);
  writeFileSync(join(folder, 'a.jsonl'), lines(0, 3));
  writeFileSync(join(folder, 'notes.txt'), 'x');
  const args = ['import', '--library', join(dir, 'library'), folder];
  const run = await runCli(args);
  expect(run.code).toBe(0);
  expect(run.stdout).toMatch(/^[0-9a-f]{24} {2}3 messages {2}.*a\.jsonl\n$/);
  expect(run.stderr).toBe(`parallax: ${folder}: 1 transcript files, 1 other files skipped\n`);
  expect((await runCli(args)).stdout).toContain('(was there already)');
});

test('import --follow says what comes until it is interrupted', async () => {
  const dir = tempDir();
  const path = join(dir, 'a.jsonl');
  writeFileSync(path, lines(0, 3));
  const args = ['cli/main.ts', 'import', '--follow', '--json', '--library', join(dir, 'library'), path];
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
    cwd: join(import.meta.dirname, '../..'),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said: { messages?: number; waiting_bytes?: number; file: string }[] = [];
  const notes: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => said.push(JSON.parse(line)));
  createInterface({ input: child.stderr }).on('line', (line) => notes.push(line));
  const exited = once(child, 'exit');
  await expect.poll(() => notes.some((note) => note.includes('following'))).toBe(true);
  // What is appended before the file is first looked at comes too, so nobody has to wait for that.
  appendFileSync(path, `${lines(3, 5)}${lines(5, 6).slice(0, 40)}`);
  await expect.poll(() => said.at(-1)).toMatchObject({ file: path, messages: 5, waiting_bytes: 40 });
  appendFileSync(path, lines(5, 6).slice(40));
  await expect.poll(() => said.at(-1)).toMatchObject({ messages: 6, waiting_bytes: 0 });
  child.kill('SIGINT');
  expect(await exited).toEqual([0, null]);
});
