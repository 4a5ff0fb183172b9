// A web host gives back what it freed: the process begins again with glibc's settings, in its own place.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

const MODULE = pathToFileURL(join(import.meta.dirname, '../../cli/support/mallocSettings.ts')).href;
const SCRIPT = `
  const { beginWithSmallMalloc } = await import('${MODULE}');
  console.log(process.pid);
  beginWithSmallMalloc();
  console.log(JSON.stringify([process.env.MALLOC_ARENA_MAX, process.argv.slice(1), process.env.KEPT]));
`;

function run(env: Record<string, string>): readonly string[] {
  const args = ['--input-type=module', '--eval', SCRIPT, '--', 'one two', '--three'];
  return execFileSync(process.execPath, args, { encoding: 'utf8', env: { ...process.env, KEPT: 'yes', ...env } })
    .trim()
    .split('\n');
}

test.runIf(process.platform === 'linux')('the process begins again with the settings, its id and its arguments', () => {
  const lines = run({});
  // Once for each beginning, and the rest of the second alone.
  expect(lines).toHaveLength(3);
  expect(lines[0]).toBe(lines[1]);
  expect(JSON.parse(lines[2] ?? '')).toEqual(['2', ['one two', '--three'], 'yes']);
});

test('where the settings are made already, it goes its way', () => {
  const set = { MALLOC_ARENA_MAX: '7', MALLOC_MMAP_THRESHOLD_: '1', MALLOC_TRIM_THRESHOLD_: '1' };
  const lines = run(set);
  expect(lines).toHaveLength(2);
  expect(JSON.parse(lines[1] ?? '')).toEqual(['7', ['one two', '--three'], 'yes']);
});
