import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCli } from '../support/cli.ts';

let dir: string;
let ids: string[];

const ls = async (...options: string[]) => {
  const run = await runCli(['ls', '--library', join(dir, 'lib'), '--json', ...options]);
  const lines = run.stdout.split('\n').filter(Boolean);
  return lines.map((line): { id: string; messages: number; tags: string[]; errors: number } => JSON.parse(line));
};

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'parallax-ls-'));
  for (const count of [2, 6, 4]) {
    const messages = Array.from({ length: count }, (_, i) => ({
      role: i % 2 ? 'assistant' : 'user',
      content: `say ${count}`,
    }));
    writeFileSync(join(dir, `talk-${count}.json`), JSON.stringify(messages));
  }
  const files = [2, 6, 4].map((count) => join(dir, `talk-${count}.json`));
  await runCli(['import', '--library', join(dir, 'lib'), ...files]);
  ids = (await ls('--sort', 'messages')).map(({ id }) => id);
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

it('lists in an order, and what has some words', async () => {
  expect((await ls('--sort', 'messages')).map(({ messages }) => messages)).toEqual([6, 4, 2]);
  expect((await ls('--sort', 'messages', '--reverse')).map(({ messages }) => messages)).toEqual([2, 4, 6]);
  expect(await ls('--filter', 'talk-4')).toMatchObject([{ messages: 4, errors: 0, tags: [] }]);
  expect((await runCli(['ls', '--sort', 'colour'])).code).toBe(2);
});

it('tags, lists by tag, and takes tags', async () => {
  const tag = (...args: string[]) => runCli(['tag', '--library', join(dir, 'lib'), ...args]);
  expect((await tag(ids[0]!, ids[1]!, '--add', 'Old', '--add', 'x')).code).toBe(0);
  expect((await tag()).stdout).toBe('Old  2\nx    2\n');
  expect((await tag(ids[1]!, '--remove', 'old')).code).toBe(0);
  expect(await ls('--tag', 'old')).toMatchObject([{ id: ids[0], tags: ['Old', 'x'] }]);
  expect(await tag('nobody', '--add', 'x')).toMatchObject({ code: 3, stdout: '' });
});

it('removes', async () => {
  const rm = (...args: string[]) => runCli(['rm', '--library', join(dir, 'lib'), ...args]);
  expect((await rm(ids[0]!)).code).toBe(0);
  expect((await ls()).map(({ id }) => id)).not.toContain(ids[0]);
  expect((await rm(ids[0]!)).code).toBe(3);
});
