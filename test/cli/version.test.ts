import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ENGINE_VERSION } from '../../core/engine/version.ts';
import { runCli } from '../support/cli.ts';

test('the command line says its version, which is that of the package', async () => {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
    readonly version: string;
  };
  expect(ENGINE_VERSION).toBe(version);
  expect(await runCli(['--version'])).toMatchObject({ code: 0, stdout: `${version}\n` });
});
