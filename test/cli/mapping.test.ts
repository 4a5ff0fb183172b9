import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCli } from '../support/cli.ts';
import { tempDir } from '../support/tempLibrary.ts';

const LINES = [
  '{"who":"customer","body":"Where is it?"}',
  '{"who":"bot","body":"There.","acts":[{"id":"a-1","tool":"find","args":{"q":1}}]}',
  '{"x":1}',
];

test('a mapping is guessed, checked, used and saved', async () => {
  const dir = tempDir();
  const file = join(dir, 'log.jsonl');
  const mapping = join(dir, 'mapping.json');
  const library = ['--library', join(dir, 'library')];
  writeFileSync(file, `${LINES.join('\n')}\n`);

  const guessed = await runCli(['mapping', 'guess', file]);
  expect(guessed).toMatchObject({ code: 0 });
  expect(guessed.stderr).toContain('@.who holds the role (customer = user, bot = assistant)');
  writeFileSync(mapping, guessed.stdout);

  const checked = await runCli(['mapping', 'check', mapping, file]);
  expect(checked.code).toBe(0);
  expect(checked.stdout).toBe('1  user  Where is it?\n2  assistant  There.\n              [tool_call find] {"q":1}\n');
  expect(checked.stderr).toContain('2 messages in 1 transcript in the file, 1 record kept as events');

  const unknown = await runCli(['import', ...library, file]);
  expect(unknown.code).toBe(3);
  expect(unknown.stderr).toContain('parallax mapping guess');
  const imported = await runCli(['import', ...library, '--mapping', mapping, file]);
  expect(imported).toMatchObject({ code: 0 });
  expect(imported.stdout).toContain('2 messages');

  expect(await runCli(['mapping', 'save', ...library, mapping])).toMatchObject({ code: 2 });
  expect(await runCli(['mapping', 'save', ...library, mapping, '--name', 'Tickets'])).toMatchObject({ code: 0 });
  const { stdout } = await runCli(['mapping', 'export', ...library, 'Tickets']);
  expect(JSON.parse(stdout)).toEqual({ ...JSON.parse(readFileSync(mapping, 'utf8')), name: 'Tickets' });
  expect((await runCli(['mapping', 'rm', ...library, 'Tickets'])).code).toBe(0);
  expect((await runCli(['mapping', 'ls', ...library])).stdout).toBe('');
});

test('what is no mapping, and what none can be made of, says why', async () => {
  const dir = tempDir();
  const file = join(dir, 'table.json');
  const mapping = join(dir, 'mapping.json');
  writeFileSync(file, '[["role","text"],["user","hi"]]');
  writeFileSync(mapping, '{"mapping":1,"at":"$","messages":[{"role":{"path":"@.a[x]"},"text":"@.t"}]}');
  const guessed = await runCli(['mapping', 'guess', file]);
  expect(guessed).toMatchObject({ code: 1, stdout: '' });
  expect(guessed.stderr).toContain('a table');
  const checked = await runCli(['mapping', 'check', mapping, file]);
  expect(checked).toMatchObject({ code: 2, stdout: '' });
  expect(checked.stderr).toContain('messages[0].role.path: the path "@.a[x]" stops at column 4');
});

test('commands that read a file read it by a mapping, as import does', async () => {
  const dir = tempDir();
  const file = join(dir, 'log.jsonl');
  const mapping = join(dir, 'mapping.json');
  writeFileSync(file, `${LINES.join('\n')}\n`);
  writeFileSync(mapping, (await runCli(['mapping', 'guess', file])).stdout);
  const by = [file, '--mapping', mapping];

  const bare = await runCli(['project', file]);
  expect(bare).toMatchObject({ code: 3, stdout: '' });
  const projected = await runCli(['project', ...by, '--json']);
  expect(projected.code).toBe(0);
  expect(JSON.parse(projected.stdout)).toMatchObject({ transcript: { messages: 2 }, at: 2 });

  expect(await runCli(['trace', ...by, '--text', 'where is it'])).toMatchObject({ code: 0 });
  expect((await runCli(['why', ...by, '--message', '1'])).stdout).toContain('#1 assistant: There.');
  expect((await runCli(['sweep', ...by])).stdout.trim().split('\n')).toHaveLength(2);
  expect(await runCli(['usage', ...by])).toMatchObject({ code: 0 });
  const linted = await runCli(['lint', ...by, '--provider', 'openai']);
  expect(linted).toMatchObject({ code: 1 });
  expect(linted.stdout).toContain('#1');
  expect((await runCli(['entries', ...by, '--call', 'a-1'])).stdout).toContain('#1');
  const wire = await runCli(['export', ...by, '--wire', 'openai']);
  expect(wire.stdout).toContain('Where is it?');
  const bundle = join(dir, 'bundle.json');
  expect(await runCli(['export', ...by, '-o', bundle])).toMatchObject({ code: 0 });
  expect(await runCli(['verify', bundle])).toMatchObject({ code: 0 });
  expect((await runCli(['export', ...by, '--thread', 'jido'])).stdout).toContain('Where is it?');
  const library = ['--library', join(dir, 'library')];
  expect((await runCli(['fork', ...by, ...library, '--text', 'And?'])).stdout).toContain('before message 2, 1 added');
});

test('a mapping where no file is read is wrong usage, and says why', async () => {
  const dir = tempDir();
  const none = join(dir, 'none.json');
  for (const args of [
    ['project', '--ndjson', '--mapping', none],
    ['export', 'no-such-id', '--thread', 'jido', '--mapping', none],
    ['fork', 'no-such-id', '--library', join(dir, 'library'), '--mapping', none],
  ]) {
    const { code, stderr } = await runCli(args);
    expect(code, args.join(' ')).toBe(2);
    expect(stderr).toContain('--mapping');
  }
  const missing = await runCli(['project', none, '--mapping', none]);
  expect(missing).toMatchObject({ code: 3 });
  expect(missing.stderr).toContain(`${none}: there is no such file`);
});
