import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCli } from '../support/cli.ts';
import { tempDir } from '../support/tempLibrary.ts';

test('compacting gives back what a removed transcript took, also when it was removed just now', async () => {
  const dir = tempDir();
  const library = ['--library', join(dir, 'library')];
  const file = join(dir, 'long.json');
  const messages = Array.from({ length: 400 }, (_, at) => ({
    role: at % 2 === 0 ? 'user' : 'assistant',
    content: `${at} `.repeat(2_000),
  }));
  writeFileSync(file, JSON.stringify(messages));
  const imported = await runCli(['import', ...library, file]);
  const id = /^(\S+) /.exec(imported.stdout)?.[1] ?? '';
  expect(await runCli(['rm', ...library, id])).toMatchObject({ code: 0 });
  const compacted = await runCli(['compact', ...library, '--json']);
  expect(compacted.code).toBe(0);
  expect(compacted.stderr).toContain('gathering what stays');
  const { before, after } = JSON.parse(compacted.stdout);
  expect(after).toBeLessThan(before / 2);
  expect(await runCli(['compact', ...library])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('nothing to give back'),
  });
});
