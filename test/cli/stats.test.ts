// `parallax stats` looks through what is new, and ends where nothing is: on an empty library, and the second time.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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

/** A session of two days and two models: four messages, a file read again behind a compaction, then two messages. */
function twoDays(): string {
  let parent: string | null = null;
  const lines: string[] = [];
  const push = (time: string, more: Readonly<Record<string, unknown>>) => {
    const uuid = `u${lines.length}`;
    const base = { parentUuid: parent, isSidechain: false, cwd: '/w', sessionId: 'two', version: '2.0.14' };
    lines.push(JSON.stringify({ ...base, uuid, timestamp: `2026-02-${time}:00.000Z`, ...more }));
    parent = uuid;
  };
  const user = (time: string, content: unknown) => push(time, { type: 'user', message: { role: 'user', content } });
  const answer = (time: string, model: string, content: unknown) => {
    const usage = { input_tokens: 100, output_tokens: 5 };
    const message = { id: `m${lines.length}`, type: 'message', role: 'assistant', model, content, usage };
    push(time, { type: 'assistant', message });
  };
  const read = (time: string, model: string, id: string) => {
    answer(time, model, [{ type: 'tool_use', id, name: 'Read', input: { file_path: '/w/long.txt' } }]);
    user(time, [{ type: 'tool_result', tool_use_id: id, content: 'a line of a long file\n'.repeat(400) }]);
  };
  user('10T09:00', 'Read the file.');
  read('10T09:01', 'claude-opus-4-5', 'toolu_1');
  answer('10T09:02', 'claude-opus-4-5', [{ type: 'text', text: 'Read.' }]);
  const compactMetadata = { trigger: 'auto', preTokens: 3_000 };
  push('10T09:03', { type: 'system', subtype: 'compact_boundary', content: 'Conversation compacted', compactMetadata });
  push('10T09:03', { type: 'user', isCompactSummary: true, message: { role: 'user', content: 'A file was read.' } });
  read('10T09:05', 'claude-opus-4-5', 'toolu_2');
  answer('10T09:06', 'claude-opus-4-5', [{ type: 'text', text: 'Again.' }]);
  user('12T09:00', 'Go ahead.');
  answer('12T09:01', 'claude-haiku-4-5', [{ type: 'text', text: 'Done.' }]);
  return `${lines.join('\n')}\n`;
}

test('messages, compactions and findings are of the day and the model where they are', async () => {
  const file = join(dir, 'two.jsonl');
  writeFileSync(file, twoDays());
  const own = ['--library', join(dir, 'two')];
  expect((await runCli(['import', file, ...own])).code).toBe(0);
  const info = JSON.parse((await runCli(['stats', '--json', '--zone', 'UTC', ...own])).stdout);
  const of = (by: 'days' | 'models') =>
    info[by].groups.map(({ value, figures: { messages, compactions, findings, requests } }: Group) => {
      return [value, messages, compactions, findings > 0, requests];
    });
  expect(of('days')).toEqual([
    ['2026-02-12', 2, 0, false, 1],
    ['2026-02-10', 8, 1, true, 4],
  ]);
  expect(of('models').toSorted()).toEqual([
    // What a person said is of the model that answered before.
    ['claude-haiku-4-5', 1, 0, false, 1],
    ['claude-opus-4-5', 9, 1, true, 4],
  ]);
}, 60_000);

interface Group {
  readonly value: string;
  readonly figures: Readonly<Record<'messages' | 'compactions' | 'findings' | 'requests', number>>;
}
