// The help of every command ends with an example, and each of them does what it says: run as it is written.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exampleOf } from '../../cli/commandList.ts';
import { createProgram, runCommand } from '../../cli/program.ts';
import { withChannel } from '../../cli/support/channel.ts';
import { commandCases } from '../support/commandCases.ts';

const dir = mkdtempSync(join(tmpdir(), 'parallax-examples-'));
const before = process.cwd();
const path = (name: string): string => join(dir, name);

/** Go on until they are ended, or need what only another command can give. */
const NOT_RUN = new Set(['serve', 'worker', 'mcp', 'rm']);
/** Have nothing to say of a library without tags and mappings. */
const SILENT = new Set(['tag', 'mapping ls', 'mapping rm']);
/** What a person reads in the exit code: a finding is a result. */
const FINDS = new Set([
  'trace',
  'watch',
  'entries',
  'events',
  'usage',
  'cache',
  'scrub',
  'lint',
  'findings',
  'check',
  'search',
  'keep',
]);

async function run(line: string): Promise<{ readonly exit: number; readonly said: string }> {
  const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
  const said: string[] = [];
  const channel = {
    out: (text: string) => void said.push(text),
    note: (text: string) => void said.push(text),
    input: null,
  };
  process.exitCode = 0;
  const failed = await withChannel(channel, () => runCommand(words.slice(1)));
  const exit = failed?.exit ?? Number(process.exitCode ?? 0);
  process.exitCode = 0;
  return { exit, said: `${said.join('')}${failed?.message ?? ''}` };
}

beforeAll(async () => {
  process.chdir(dir);
  expect((await run('parallax sample --out session.jsonl')).exit).toBe(0);
  writeFileSync(path('pi.jsonl'), '{"type":"session","id":"s"}\n');
  writeFileSync(path('rules.yaml'), 'version: 1\nrules:\n  - text: harbour\n');
  writeFileSync(path('rows.jsonl'), '{"who":"user","words":"hi"}\n{"who":"assistant","words":"yes"}\n');
  const guessed = await run('parallax mapping guess rows.jsonl');
  writeFileSync(path('mapping.json'), guessed.said.slice(guessed.said.indexOf('{')));
  expect((await run('parallax export session.jsonl -o report.parallax.json')).exit).toBe(0);
  expect((await run('parallax import session.jsonl --library library')).exit).toBe(0);
});
afterAll(() => {
  process.chdir(before);
  rmSync(dir, { recursive: true, force: true });
});

const WORDS = commandCases().map(({ words }) => words);

test.each(WORDS.map((words) => [words.join(' '), words] as const))(
  '%s',
  async (name, words) => {
    const example = exampleOf(words);
    if (example === null) throw new Error('it has no example');
    const found = words.reduce(
      (command, word) => command.commands.find((each) => each.name() === word) ?? command,
      createProgram(),
    );
    const help: string[] = [];
    found.configureOutput({ writeOut: (text) => void help.push(text) });
    found.outputHelp();
    expect(help.join('').trimEnd().split('\n').at(-1)).toBe(`  ${example}`);
    expect(example).toMatch(new RegExp(`^parallax ${name}( |$)`));
    if (NOT_RUN.has(name)) return;
    const { exit, said } = await run(example);
    expect(FINDS.has(name) ? [0, 1] : [0], said).toContain(exit);
    if (!SILENT.has(name)) expect(said).not.toBe('');
  },
  60_000,
);

test('what is written is what the example names', () => {
  expect(readFileSync(path('request.sh'), 'utf8')).toContain('curl');
  expect(readFileSync(path('bug.parallax.json'), 'utf8')).toContain('"parallax');
});
