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
  expect(guessed.stderr).toContain('@.who tells who speaks (customer = user, bot = assistant)');
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
