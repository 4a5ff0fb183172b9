// `--filter`: the rows that fit, and what is said of a filter that makes no sense.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli } from '../support/cli.ts';

let dir: string;
let file: string;

const call = (id: string, path: string) => ({
  role: 'assistant',
  content: '',
  tool_calls: [{ id, type: 'function', function: { name: 'read', arguments: JSON.stringify({ path }) } }],
});
const BODY = 'The port of the staging server is 8642, as its configuration says in the second line.';
const MESSAGES = [
  { role: 'user', content: 'Which port does it listen on?' },
  call('c1', 'config/staging.toml'),
  { role: 'tool', tool_call_id: 'c1', content: BODY },
  { role: 'assistant', content: 'It is 8642.' },
  { role: 'user', content: 'Something else.' },
  { role: 'assistant', content: 'Fine.' },
  { role: 'user', content: 'Read it again.' },
  call('c2', 'config/staging.toml'),
  { role: 'tool', tool_call_id: 'c2', content: BODY },
  { role: 'assistant', content: 'Still 8642.' },
];
const WINDOW = JSON.stringify({ version: 1, stages: [{ kind: 'sliding_window', options: { turns: 1 } }] });

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'parallax-filter-'));
  file = join(dir, 'session.json');
  writeFileSync(file, JSON.stringify({ model: 'gpt-5.5', messages: MESSAGES }));
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

async function rowsOf(filter: string): Promise<readonly string[]> {
  const run = await runCli(['project', file, '--spec', WINDOW, '--filter', filter, '--json']);
  expect(run.code).toBe(0);
  const { rows }: { rows: readonly { index: number; part: number }[] } = JSON.parse(run.stdout);
  return rows.map(({ index, part }) => `${index}.${part}`);
}

test('rows are listed that fit', async () => {
  expect(await rowsOf('kind:call')).toEqual(['1.0', '7.0']);
  expect(await rowsOf('tool:read -in:request')).toEqual(['1.0', '2.0']);
  expect(await rowsOf('call:read reread')).toEqual(['7.0']);
  expect(await rowsOf('fate:dropped used:gone')).toEqual(['1.0', '2.0']);
  expect(await rowsOf('8642 role:assistant')).toEqual(['3.0', '9.0']);
  expect(await rowsOf('turn=2 OR index<1')).toEqual(['0.0', '4.0', '5.0']);
});

test('the report lists them too', async () => {
  const run = await runCli(['project', file, '--spec', WINDOW, '--filter', 'fate:dropped kind:result']);
  expect(run.stdout).toMatch(/1 of \d+ rows fit/);
  expect(run.stdout).toMatch(/#2\.0 +tool +result +read +dropped/);
});

test('findings are those at messages that fit', async () => {
  const all = await runCli(['findings', file, '--spec', WINDOW, '--json', '--no-prevented']);
  const some = await runCli([
    'findings',
    file,
    '--spec',
    WINDOW,
    '--json',
    '--no-prevented',
    '--filter',
    'call:read reread',
  ]);
  const none = await runCli(['findings', file, '--spec', WINDOW, '--json', '--no-prevented', '--filter', 'call:write']);
  expect(all.stdout).toContain('"kind":"forgotten","at":7');
  expect(some.stdout).toContain('"at":7');
  expect([none.stdout, none.code]).toEqual(['', 0]);
});

test('a slip is named with its place and what was probably meant', async () => {
  const run = await runCli(['project', file, '--filter', 'x fate:droped']);
  expect(run.code).toBe(2);
  expect(run.stderr).toContain('Did you mean fate:dropped? (character 3 of the filter)');
  expect((await runCli(['findings', file, '--filter', 'tokns>3'])).stderr).toContain('Did you mean tokens?');
});
