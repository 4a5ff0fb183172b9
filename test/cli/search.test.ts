import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.ts';

let dir: string;
let library: string;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'parallax-cli-search-'));
  library = join(dir, 'library');
  const file = join(dir, 'session.json');
  const messages = [
    { role: 'user', content: 'please read src/alpha.ts' },
    { role: 'assistant', content: 'the secret word is heliotrope, heliotrope indeed' },
  ];
  writeFileSync(file, JSON.stringify({ messages }));
  await runCli(['import', file, '--library', library]);
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

const search = (...args: readonly string[]) => runCli(['search', ...args, '--library', library]);

describe('parallax search', () => {
  it('makes the library searchable first, and prints hits under their transcript', async () => {
    const run = await search('heliotrope');
    expect(run.code).toBe(0);
    expect(run.stdout).toMatch(/#1 assistant \(2×\) {2}the secret word is heliotrope/);
    expect(run.stderr).toContain('1 message found');
  });

  it('gives one line of JSON a hit', async () => {
    const run = await search('"src/alpha.ts"', 'role:user', '--json');
    const hits = run.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(hits).toMatchObject([{ index: 0, part: 0, role: 'user', occurrences: 1, format: 'openai-chat' }]);
  });

  it('exits with 1 if nothing was found, with 2 if the query or an option is wrong', async () => {
    expect(await search('nowhere')).toMatchObject({ code: 1, stdout: '' });
    const wrong = await search('x', 'is:broken');
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain('is: knows error, injected, queued, compaction, sidechain');
    expect(wrong.stderr).toContain('character 3 of the query');
    expect((await search('x', '--limit', '0')).code).toBe(2);
  });
});
