// What a request says of thinking that is bound to another conversation, and what of it goes along.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isRecord, ownAt } from '../../core/util/unknown.ts';
import { runCli } from '../support/cli.ts';
import { tempDir } from '../support/tempLibrary.ts';

const thinking = (n: number) => ({ type: 'thinking', thinking: '', signature: `sig-${n}` });
const call = (n: number) => ({ type: 'tool_use', id: `t${n}`, name: 'read', input: { path: `${n}.ts` } });
const result = (n: number) => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: `t${n}`, content: `body ${n} `.repeat(40) }],
});
const MESSAGES = [
  { role: 'user', content: 'Look at the files.' },
  ...[1, 2, 3, 4, 5].flatMap((n) => [{ role: 'assistant', content: [thinking(n), call(n)] }, result(n)]),
];
const REQUEST = {
  model: 'claude-fable-5-1',
  max_tokens: 500,
  thinking: { type: 'enabled', budget_tokens: 400 },
  messages: MESSAGES,
};
const CLEARS = { kind: 'langchain_clear_tool_uses', options: { trigger_tokens: 10, keep: 1 } };

async function exported(...args: readonly string[]): Promise<{ readonly body: string; readonly notes: string }> {
  const file = join(tempDir(), 'request.json');
  writeFileSync(file, JSON.stringify(REQUEST));
  const spec = JSON.stringify({ version: 1, stages: [CLEARS] });
  const { stdout, stderr } = await runCli(['export', file, '--wire', 'anthropic', '--spec', spec, ...args]);
  return { body: stdout, notes: stderr };
}

const signatures = (body: string): number => body.split('"signature"').length - 1;

function thinkingOf(body: string): unknown {
  const value: unknown = JSON.parse(body);
  return isRecord(value) ? ownAt(value, 'thinking') : undefined;
}

it('without a word every block goes along, and what would be refused is said', async () => {
  const { body, notes } = await exported();
  expect(signatures(body)).toBe(5);
  expect(thinkingOf(body)).toEqual(REQUEST.thinking);
  expect(notes).toMatch(
    /warning: #3 The thinking in #3 is bound to a different conversation, and 3 later blocks with it/,
  );
});

it('drop_block is asked for in the body, its header is told, and the blocks go along', async () => {
  const { body, notes } = await exported('--preserved-thinking', 'drop_block');
  expect(signatures(body)).toBe(5);
  expect(thinkingOf(body)).toEqual({
    ...REQUEST.thinking,
    block_binding: { prefix_mismatch_behavior: 'drop_block' },
  });
  expect(notes).toContain('anthropic-beta thinking-binding-controls-2026-08-01');
});

it('a repaired request leaves out what would be refused, and keeps the rest', async () => {
  const { body, notes } = await exported('--repair');
  expect(signatures(body)).toBe(1);
  expect(notes).not.toContain('bound to a different conversation');
});

it('a repaired request that asks to drop keeps all: the provider drops', async () => {
  const { body } = await exported('--repair', '--preserved-thinking', 'drop_block');
  expect(signatures(body)).toBe(5);
});

it('an account from before the check is let through', async () => {
  const { notes } = await exported('--account-created', '2026-01-01');
  expect(notes).toMatch(/info: #3 .* lets them through on an account made before/);
});
