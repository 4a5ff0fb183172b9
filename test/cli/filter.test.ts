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

interface UsesResult {
  readonly uses: readonly { readonly kind: string; readonly at: number; readonly outcome: string }[];
  readonly summary: { readonly uses: number; readonly gone: number };
}

test('uses are those by messages that fit, and so are their sums', async () => {
  const uses = async (...more: readonly string[]): Promise<UsesResult> =>
    JSON.parse((await runCli(['uses', file, '--spec', WINDOW, '--json', ...more])).stdout);
  const all = await uses();
  const calls = await uses('--filter', 'call:read reread');
  expect(new Set(all.uses.map(({ at }) => at)).size).toBeGreaterThan(1);
  expect(calls.uses).toEqual(all.uses.filter(({ at }) => at === 7));
  expect(calls.uses).toContainEqual(expect.objectContaining({ kind: 'reread', outcome: 'gone' }));
  expect(calls.summary.uses).toBe(calls.uses.length);
  const none = await runCli(['uses', file, '--spec', WINDOW, '--filter', 'call:write']);
  expect([none.stdout, none.code]).toEqual(['No use found by a message that fits the filter.\n', 0]);
});

test('requests of a sweep are those answered by messages that fit; the sums are of all', async () => {
  const sweep = async (...more: readonly string[]) => {
    const run = await runCli(['sweep', file, '--spec', WINDOW, ...more]);
    const lines = run.stdout.split('\n').filter(Boolean);
    return { stderr: run.stderr, lines: lines.map((line): { at: number } => JSON.parse(line)) };
  };
  const all = await sweep();
  const calls = await sweep('--filter', 'call:read');
  expect(calls.lines.map(({ at }) => at)).toEqual([1, 7]);
  expect(calls.lines).toEqual(all.lines.filter(({ at }) => at === 1 || at === 7));
  expect(calls.stderr).toContain('6 requests');
  expect(calls.stderr).toContain('2 requests listed: those that fit the filter');
});

test('a slip is named with its place and what was probably meant', async () => {
  const run = await runCli(['project', file, '--filter', 'x fate:droped']);
  expect(run.code).toBe(2);
  expect(run.stderr).toContain('Did you mean fate:dropped? (character 3 of the filter)');
  expect((await runCli(['findings', file, '--filter', 'tokns>3'])).stderr).toContain('Did you mean tokens?');
  for (const command of ['uses', 'sweep']) {
    const slip = await runCli([command, file, '--filter', 'x fate:droped']);
    expect([slip.code, slip.stdout]).toEqual([2, '']);
    expect(slip.stderr).toContain('Did you mean fate:dropped? (character 3 of the filter)');
  }
});
