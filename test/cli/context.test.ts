// The commands around context policies: fork, entries, threads, and where a policy's values come from.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCli } from '../support/cli.ts';

const THREAD = join(import.meta.dirname, '../fixtures/jido/thread.json');
let dir: string;
let library: readonly string[];

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'parallax-context-'));
  library = ['--library', join(dir, 'lib')];
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

async function json(...args: readonly string[]) {
  const run = await runCli([...args]);
  expect(run.stderr).toBe('');
  return JSON.parse(run.stdout);
}

describe('fork', () => {
  test('of a file, then of what came of it; ls marks both', async () => {
    const append = join(dir, 'messages.json');
    writeFileSync(append, '[{"role":"user","content":"And 1.0?"}]');
    const made = await json('fork', THREAD, '--at', '3', '--append', append, ...library, '--json');
    expect(made).toMatchObject({ at: 3, added: 1 });
    const again = await runCli(['fork', made.id, '--text', 'Or so?', ...library]);
    expect(again.stdout).toMatch(/^\w+ {2}what-if of \w+ \(What if: .*\) before message 4, 1 added\n$/);
    const list = (await runCli(['ls', ...library])).stdout.trimEnd().split('\n');
    expect(list.filter((line) => line.includes('(what-if) What if: '))).toHaveLength(2);
    expect(list).toHaveLength(3);
  });

  test.each([
    [['--at', '99'], 2],
    [['--append', '{"content":"x"}'], 3],
    [['--append', '[1,'], 3],
  ])('%j is refused with %i', async (args, code) => {
    expect(await runCli(['fork', THREAD, ...args, ...library])).toMatchObject({ code, stdout: '' });
  });

  test('of what is not there is refused', async () => {
    expect((await runCli(['fork', 'nothing', ...library])).code).toBe(3);
  });
});

describe('entries', () => {
  test('of a call, with what it was made of', async () => {
    const found = await json('entries', THREAD, '--call', 'call_3', '--policy', 'short_context', '--json');
    expect(found).toMatchObject({ at: 7, callIds: ['call_3'], projection: { at: 7, messages: 2 } });
    const projected = await json('project', THREAD, '--at', '7', '--policy', 'short_context', '--json', '--no-tokens');
    expect(projected.prefix_hash).toBe(found.projection.prefix_hash);
  });

  test('of a request', async () => {
    const { stdout } = await runCli(['entries', THREAD, '--request', 'req_1']);
    expect(stdout).toContain('#1  assistant  tool_call');
    expect(stdout).toContain('calls    call_1, call_2');
  });

  test('an id that nothing names is a finding; both ids are wrong usage', async () => {
    expect((await runCli(['entries', THREAD, '--call', 'none'])).code).toBe(1);
    expect((await runCli(['entries', THREAD, '--call', 'a', '--request', 'b'])).code).toBe(2);
    expect((await runCli(['entries', THREAD])).code).toBe(2);
  });
});

describe('export --thread', () => {
  test('of a file to stdout, of a what-if to a file', async () => {
    const { stdout } = await runCli(['export', THREAD, '--thread', 'jido']);
    expect(JSON.parse(stdout).entries).toHaveLength(10);
    const { id } = await json('fork', THREAD, '--at', '5', '--text', 'So?', ...library, '--json');
    const path = join(dir, 'thread.json');
    const shown = await runCli(['export', id, '--thread', 'jido', ...library]);
    const made = await json('export', id, '--thread', 'jido', '-o', path, ...library, '--json');
    expect(shown.stdout).toBe(readFileSync(path, 'utf8'));
    expect(made).toMatchObject({ path, entries: 7, losses: [] });
    expect(JSON.parse(readFileSync(path, 'utf8')).metadata).toMatchObject({ what_if: true, fork_seq: 6 });
  });

  test('knows no other runtime', async () => {
    expect((await runCli(['export', THREAD, '--thread', 'other'])).code).toBe(2);
  });
});

describe('project --policy-scopes', () => {
  const scopes = { workspace: { reserve_output_tokens: 100, keep_last_turns: 1 }, transcript: { keep_last_turns: 9 } };

  test('fills what the spec leaves open, and says from where', async () => {
    const args = ['--policy', 'short_context', '--policy-scopes', JSON.stringify(scopes), '--json', '--no-tokens'];
    const { policy_values, stages } = await json('project', THREAD, ...args);
    const sources = Object.fromEntries(
      policy_values[0].values.map((each: { name: string; value: unknown; source: string }) => [
        each.name,
        [each.value, each.source],
      ]),
    );
    expect(sources).toMatchObject({
      max_input_tokens: [6000, 'request'],
      keep_last_turns: [2, 'request'],
      reserve_output_tokens: [100, 'workspace'],
      max_messages: [0, 'default'],
    });
    expect(stages.at(-1)).toMatchObject({ sources: { reserve_output_tokens: 'workspace' } });
  });

  test('refuses what is no policy', async () => {
    for (const wrong of ['{"workspace":{"keep_last_turns":-1}}', '{"all":{}}', '[]']) {
      expect((await runCli(['project', THREAD, '--policy-scopes', wrong])).code).toBe(2);
    }
  });
});
