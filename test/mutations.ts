// Changes made on purpose, one at a time: each must make a test fail. `npm run mutations [name …]` applies each to a copy
// of the sources, runs the named test files there, and prints which test noticed. It fails if a change goes unnoticed or
// its place is not found any more.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MUTATIONS, type Mutation } from './support/sourceMutations.ts';

const checkout = join(import.meta.dirname, '..');
const FOLDERS = ['core', 'renderer', 'cli', 'electron', 'test'];
const FILES = ['package.json', 'tsconfig.json', 'vite.config.ts'];

interface Result {
  readonly mutation: Mutation;
  /** The first test that failed; null = none did. */
  readonly killedBy: string | null;
  readonly problem: string | null;
}

/** A copy of the sources with the modules of this checkout. */
function makeCopy(): string {
  const copy = mkdtempSync(join(tmpdir(), 'parallax-mutations-'));
  for (const folder of FOLDERS) cpSync(join(checkout, folder), join(copy, folder), { recursive: true });
  for (const file of FILES) cpSync(join(checkout, file), join(copy, file));
  mkdirSync(join(copy, 'node_modules', '.vite'), { recursive: true });
  rmSync(join(copy, 'node_modules'), { recursive: true });
  symlinkSync(join(checkout, 'node_modules'), join(copy, 'node_modules'), 'junction');
  return copy;
}

/** The text with the change, or why it cannot be made. */
function mutated(text: string, { from, to }: Mutation): { readonly text: string } | { readonly problem: string } {
  const places = text.split(from).length - 1;
  if (places !== 1) return { problem: `its text is there ${places} times` };
  return { text: text.replace(from, () => to) };
}

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

/** The first failing test of the files, null if all pass. */
function firstFailure(copy: string, tests: readonly string[]): string | null {
  const out = join(copy, 'report.json');
  rmSync(out, { force: true });
  const args = ['run', '--project', 'unit', '--bail', '1', '--reporter', 'json', '--outputFile', out, ...tests];
  const vitest = join(checkout, 'node_modules', 'vitest', 'vitest.mjs');
  const ran = spawnSync(process.execPath, [vitest, ...args], { cwd: copy, encoding: 'utf8' });
  const report = JSON.parse(readFileSync(out, 'utf8')) as Report;
  for (const { name, status, message, assertionResults } of report.testResults) {
    const failed = assertionResults.find((one) => one.status === 'failed');
    const file = name.slice(name.indexOf('test/'));
    if (failed) return `${file}: ${failed.fullName}`;
    if (status === 'failed') return `${file}: ${message.split('\n')[0]}`;
  }
  if (ran.status !== 0) throw new Error(`vitest failed without a failing test:\n${ran.stderr}`);
  return null;
}

function run(copy: string, mutation: Mutation): Result {
  const path = join(copy, mutation.file);
  const before = readFileSync(path, 'utf8');
  const after = mutated(before, mutation);
  if ('problem' in after) return { mutation, killedBy: null, problem: after.problem };
  writeFileSync(path, after.text);
  try {
    return { mutation, killedBy: firstFailure(copy, mutation.tests), problem: null };
  } finally {
    writeFileSync(path, before);
  }
}

function main(): number {
  const wanted = process.argv.slice(2);
  const chosen = MUTATIONS.filter(({ name }) => wanted.length === 0 || wanted.some((word) => name.includes(word)));
  const copy = makeCopy();
  try {
    const tests = [...new Set(chosen.flatMap((one) => one.tests))];
    const broken = firstFailure(copy, tests);
    if (broken !== null) throw new Error(`A test fails without any change: ${broken}`);
    let missed = 0;
    for (const mutation of chosen) {
      const { killedBy, problem } = run(copy, mutation);
      if (killedBy === null) missed++;
      process.stdout.write(`| ${mutation.name} | ${killedBy ?? `**${problem ?? 'survived'}**`} |\n`);
    }
    process.stdout.write(`${chosen.length} changes, ${chosen.length - missed} noticed\n`);
    return missed === 0 && chosen.length > 0 ? 0 : 1;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

process.exitCode = main();
