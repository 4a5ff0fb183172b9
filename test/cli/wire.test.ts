import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { filesDir } from '../e2e/support/session.ts';
import { runCli } from '../support/cli.ts';

const files = filesDir();
afterAll(() => files.remove());

const OPEN_CALL = { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'ls', input: {} }] };
const session = files.write(
  'session.json',
  JSON.stringify({
    model: 'claude-opus-4-5',
    max_tokens: 1,
    system: 'Be brief.',
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'go', cache_control: { type: 'ephemeral' } }] },
      OPEN_CALL,
    ],
  }),
);

test('export --wire writes the body to stdout, and what is not carried to stderr', async () => {
  const run = await runCli(['export', session, '--wire', 'openai']);
  expect(JSON.parse(run.stdout).messages).toHaveLength(3);
  expect(run.stderr).toContain('model gpt-5');
  expect(run.stderr).toContain('left out (cache_control) #0 content[0].cache_control');
  expect(run.stderr).toContain('has no result');
  expect(run.code).toBe(1);
});

test('with the provider’s hygiene as the last stage it would be taken', async () => {
  const spec = { version: 1, stages: [{ kind: 'hygiene', options: { profile: 'anthropic' } }] };
  const path = join(files.path, 'body.json');
  const args = ['export', session, '--wire', 'anthropic', '--spec', JSON.stringify(spec), '--max-tokens', '64'];
  const run = await runCli([...args, '--out', path]);
  expect(run).toMatchObject({ code: 0 });
  expect(run.stdout).toContain(path);
  const body = JSON.parse(readFileSync(path, 'utf8'));
  expect(body).toMatchObject({ model: 'claude-opus-4-5', max_tokens: 64, system: 'Be brief.' });
  expect(body.messages).toHaveLength(3);
  const told = await runCli([...args, '--json']);
  expect(JSON.parse(told.stdout)).toMatchObject({
    target: 'anthropic',
    chosen: [{ field: 'tools' }],
    losses: [],
    body,
  });
});

test('--repair does the same for any provider, behind any policy', async () => {
  for (const wire of ['anthropic', 'openai', 'responses', 'gemini']) {
    const run = await runCli([
      'export',
      session,
      '--wire',
      wire,
      '--policy',
      'clean_tool_repair',
      '--repair',
      '--json',
    ]);
    expect(run.code, run.stderr).toBe(0);
    expect(JSON.parse(run.stdout).findings.filter((each: { severity: string }) => each.severity === 'error')).toEqual(
      [],
    );
  }
});

test('reasoning that another model made is told, and --repair leaves it out', async () => {
  const item = '{"type":"reasoning","id":"rs_1","encrypted_content":"zz"}';
  const said = (model: string, ...content: readonly unknown[]) => {
    return { role: 'assistant', content, api: 'openai-responses', provider: 'openai', model, stopReason: 'stop' };
  };
  const messages = [
    { role: 'user', content: [{ type: 'text', text: 'hi' }] },
    said('gpt-5', { type: 'thinking', thinking: 't', thinkingSignature: item }, { type: 'text', text: 'answer' }),
    { role: 'user', content: [{ type: 'text', text: 'again' }] },
  ];
  const lines = [
    { type: 'session', version: 3, id: 's', timestamp: '2026-02-01T00:00:00.000Z', cwd: '/w' },
    ...messages.map((message, at) => {
      return { type: 'message', message, id: `m${at}`, parentId: at === 0 ? null : `m${at - 1}` };
    }),
  ];
  const path = files.write('route.jsonl', `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
  const same = await runCli(['export', path, '--wire', 'responses']);
  expect([same.stdout.includes(item), same.stderr.includes('warning')]).toEqual([true, false]);
  const args = ['export', path, '--wire', 'responses', '--model', 'o4-mini'];
  const other = await runCli(args);
  expect(other.stdout).toContain(item);
  expect(other.stderr).toContain(
    'warning: #1 OpenAI Responses: the reasoning was made before a switch (gpt-5 → o4-mini)',
  );
  const repaired = await runCli([...args, '--repair']);
  expect([repaired.stdout.includes('rs_1'), repaired.stderr.includes('warning')]).toEqual([false, false]);
});

test('what cannot be done is said in one line', async () => {
  expect(await runCli(['export', session, '--wire', 'telex'])).toMatchObject({ code: 2, stdout: '' });
  expect(await runCli(['export', session, '--wire', 'gemini', '--max-tokens', 'many'])).toMatchObject({ code: 2 });
  const unwritable = await runCli([
    'export',
    session,
    '--wire',
    'gemini',
    '-o',
    join(files.path, 'no', 'such', 'x.json'),
  ]);
  expect(unwritable).toMatchObject({ code: 3, stdout: '' });
  expect(await runCli(['export', session])).toMatchObject({ code: 2 });
});
