import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ENGINE_VERSION } from '../../core/engine/version.ts';
import { runCli, runCliProcess } from '../support/cli.ts';
import { tempDir } from '../support/tempLibrary.ts';

test('the command line says its version, which is that of the package', async () => {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
    readonly version: string;
  };
  expect(ENGINE_VERSION).toBe(version);
  expect(await runCli(['--version'])).toMatchObject({ code: 0, stdout: `${version}\n` });
});

test('a process that ran other commands before says what a new one says', async () => {
  const chat = '{"messages":[{"role":"user","content":"a"}]}';
  const PARALLAX_LIBRARY = join(tempDir(), 'library');
  for (const args of [
    ['formats', '--help'],
    ['project', '-', '--json', '--no-tokens'],
    ['why', '-', '--message', '7'],
    ['nonsense'],
    ['ls'],
  ]) {
    const fresh = await runCliProcess(args, chat, { PARALLAX_LIBRARY });
    expect(await runCli(args, chat, { PARALLAX_LIBRARY }), args.join(' ')).toEqual(fresh);
  }
});
