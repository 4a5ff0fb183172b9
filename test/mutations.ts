// Changes made on purpose, one at a time: each must make a test fail. `npm run mutations [name …]` applies each to a copy
// of the sources, runs the named test files there, and prints which test noticed. It fails if a change goes unnoticed or
// its place is not found any more.
import { spawn } from 'node:child_process';
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

/** The tests of all changes, without any. */
const WHOLE_LIMIT_MS = 1_800_000;
/** What a start takes, at most. */
const START_MS = 60_000;

/** The first failing test of the files, null if all pass. A run that does not end has noticed too. */
async function firstFailure(copy: string, tests: readonly string[], limitMs: number): Promise<string | null> {
  const out = join(copy, 'report.json');
  rmSync(out, { force: true });
  const args = ['run', '--project', 'unit', '--bail', '1', '--reporter', 'json', '--outputFile', out, ...tests];
  const vitest = join(checkout, 'node_modules', 'vitest', 'vitest.mjs');
  const ran = await runInTime([vitest, ...args], copy, limitMs);
  if (ran === null) return `no end within ${Math.round(limitMs / 1000)} s`;
  const report = JSON.parse(readFileSync(out, 'utf8')) as Report;
  for (const { name, status, message, assertionResults } of report.testResults) {
    const failed = assertionResults.find((one) => one.status === 'failed');
    const file = name.slice(name.indexOf('test/'));
    if (failed) return `${file}: ${failed.fullName}`;
    if (status === 'failed') return `${file}: ${message.split('\n')[0]}`;
  }
  if (ran.code !== 0) throw new Error(`vitest failed without a failing test:\n${ran.stderr}`);
  return null;
}

interface Ran {
  readonly code: number | null;
  readonly stderr: string;
}

/** Runs node with these arguments; null = it did not end in time, and was ended with all that it had started. */
function runInTime(args: readonly string[], cwd: string, limitMs: number): Promise<Ran | null> {
  // A group of its own: what hangs is mostly a process that vitest has started.
  const child = spawn(process.execPath, args, { cwd, detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      resolve(null);
    }, limitMs);
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(late);
      resolve({ code, stderr });
    });
  });
}

async function run(copy: string, mutation: Mutation, limitMs: number): Promise<Result> {
  const path = join(copy, mutation.file);
  const before = readFileSync(path, 'utf8');
  const after = mutated(before, mutation);
  if ('problem' in after) return { mutation, killedBy: null, problem: after.problem };
  writeFileSync(path, after.text);
  try {
    return { mutation, killedBy: await firstFailure(copy, mutation.tests, limitMs), problem: null };
  } finally {
    writeFileSync(path, before);
  }
}

async function main(): Promise<number> {
  const wanted = process.argv.slice(2);
  const chosen = MUTATIONS.filter(({ name }) => wanted.length === 0 || wanted.some((word) => name.includes(word)));
  const copy = makeCopy();
  try {
    const tests = [...new Set(chosen.flatMap((one) => one.tests))];
    const startedAt = performance.now();
    const broken = await firstFailure(copy, tests, WHOLE_LIMIT_MS);
    if (broken !== null) throw new Error(`A test fails without any change: ${broken}`);
    // Some of these tests that take twice as long as all of them hang: a change may let a thread wait for ever.
    const limitMs = 2 * (performance.now() - startedAt) + START_MS;
    let missed = 0;
    for (const mutation of chosen) {
      const { killedBy, problem } = await run(copy, mutation, limitMs);
      if (killedBy === null) missed++;
      process.stdout.write(`| ${mutation.name} | ${killedBy ?? `**${problem ?? 'survived'}**`} |\n`);
    }
    process.stdout.write(`${chosen.length} changes, ${chosen.length - missed} noticed\n`);
    return missed === 0 && chosen.length > 0 ? 0 : 1;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

process.exitCode = await main();
