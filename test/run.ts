// `npm test`: types, lint and build beside each other, then unit and end-to-end tests; the last line is the sum. What a
// machine lacks (a browser, an Electron binary, a display) is skipped with its reason, never passed over in silence.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, relative, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';
import { startDisplay } from './support/display.ts';
import { ensureChromium, type Found } from './support/ensureChromium.ts';

const CHECKOUT = resolve(import.meta.dirname, '..');
const BIN = join(CHECKOUT, 'node_modules', '.bin');

interface Sum {
  readonly passed: number;
  readonly skipped: number;
  /** What failed, each with its place and the first lines of why. */
  readonly failures: readonly string[];
  /** What failed once and passed when its file was run again: a defect of test or product, told in every run. */
  readonly unstable: readonly string[];
}

const PASSED: Sum = { passed: 1, skipped: 0, failures: [], unstable: [] };
const failed = (...failures: readonly string[]): Sum => ({ passed: 0, skipped: 0, failures, unstable: [] });

/** Files with failures that are run a second time, at most: where more fail it is no chance. */
const SECOND_RUNS = 3;

const SHOWN_LINES = 12;

const VitestReport = z.object({
  success: z.boolean(),
  numPassedTests: z.int(),
  numPendingTests: z.int(),
  numTodoTests: z.int(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().default(''),
      assertionResults: z.array(
        z.object({ fullName: z.string(), status: z.string(), failureMessages: z.array(z.string()).nullish() }),
      ),
    }),
  ),
});

/** Runs a command to its end, its output shown; answers whether it succeeded. */
async function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<boolean> {
  const child = spawn(command, args, { cwd: CHECKOUT, stdio: 'inherit', env, shell: process.platform === 'win32' });
  try {
    const [code] = await once(child, 'exit');
    return code === 0;
  } catch (error) {
    console.error(`${command}: ${String(error)}`);
    return false;
  }
}

/** Runs a check beside others: what it says is shown when it has ended. */
async function checkStage(name: string, command: string, args: readonly string[]): Promise<Sum> {
  const child = spawn(command, args, { cwd: CHECKOUT, shell: process.platform === 'win32' });
  const said: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => said.push(chunk));
  child.once('error', (error) => said.push(Buffer.from(`${command}: ${String(error)}\n`)));
  const [code] = (await once(child, 'close').catch(() => [null])) as [number | null];
  console.log(`\n== ${name}\n${Buffer.concat(said).toString('utf8')}== ${name}: ${code === 0 ? 'passed' : 'FAILED'}`);
  return code === 0 ? PASSED : failed(`${name}: see above`);
}

/**
 * Runs a vitest project; its counts come from its JSON report. A file that failed to load counts as one failure. Few
 * files that failed are run once more, alone: what passes then is counted as passed and told as unstable.
 */
async function testStage(project: string): Promise<Sum> {
  console.log(`\n== ${project} tests`);
  const first = await runTests(project, []);
  const files = [...new Set(first.failures.map(({ file }) => file))];
  if (first.failures.length === 0 || first.isBroken || files.length > SECOND_RUNS) return sumOf(first);
  console.log(`\n== ${project} tests: again, ${files.join(', ')}`);
  const second = await runTests(project, files);
  if (second.isBroken) return sumOf(first);
  const stillFails = new Set(second.failures.map(({ name }) => name));
  const passedNow = first.failures.filter(({ name }) => !stillFails.has(name));
  // Steps of a journey are skipped after one that failed: in the second run they were walked, or skipped again.
  const inFiles = first.countsOf(files);
  return {
    passed: first.passed - inFiles.passed + second.passed,
    skipped: first.skipped - inFiles.skipped + second.skipped,
    failures: second.failures.map(({ name, why }) => `${name}\n${why}`),
    unstable: passedNow.map(({ name, why }) => `${name}\n${why}`),
  };
}

interface TestRun {
  readonly passed: number;
  readonly skipped: number;
  readonly failures: readonly { readonly file: string; readonly name: string; readonly why: string }[];
  /** It ended without a report, or with an error that belongs to no test. */
  readonly isBroken: boolean;
  countsOf(files: readonly string[]): { readonly passed: number; readonly skipped: number };
}

function sumOf({ passed, skipped, failures }: TestRun): Sum {
  return { passed, skipped, failures: failures.map(({ name, why }) => `${name}\n${why}`), unstable: [] };
}

async function runTests(project: string, files: readonly string[]): Promise<TestRun> {
  const folder = mkdtempSync(join(tmpdir(), 'parallax-test-'));
  const report = join(folder, 'report.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const good = await run(join(BIN, 'vitest'), ['run', '--project', project, ...reporters, ...files]);
  const made = existsSync(report)
    ? readRun(project, readFileSync(report, 'utf8'), good)
    : brokenRun(`${project} tests: no report was written`);
  rmSync(folder, { recursive: true, force: true });
  return made;
}

function brokenRun(name: string): TestRun {
  const failures = [{ file: '', name, why: '' }];
  return { passed: 0, skipped: 0, failures, isBroken: true, countsOf: () => ({ passed: 0, skipped: 0 }) };
}

function readRun(project: string, text: string, good: boolean): TestRun {
  const report = VitestReport.parse(JSON.parse(text));
  const failures = report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(CHECKOUT, name);
    if (status === 'failed' && assertionResults.length === 0) {
      return [{ file, name: `${file} did not load`, why: firstLines(message) }];
    }
    return assertionResults
      .filter((one) => one.status === 'failed')
      .map(({ fullName, failureMessages }) => {
        return { file, name: `${file} > ${fullName}`, why: firstLines((failureMessages ?? []).join('\n')) };
      });
  });
  // An error outside of any test (an unhandled rejection) fails the run too.
  const isBroken = failures.length === 0 && !good;
  if (isBroken) failures.push({ file: '', name: `${project} tests: an error outside of any test, see above`, why: '' });
  return {
    passed: report.numPassedTests,
    skipped: report.numPendingTests + report.numTodoTests,
    failures,
    isBroken,
    countsOf(files) {
      const tests = report.testResults
        .filter(({ name }) => files.includes(relative(CHECKOUT, name)))
        .flatMap(({ assertionResults }) => assertionResults);
      const count = (isCounted: (status: string) => boolean) => tests.filter(({ status }) => isCounted(status)).length;
      return {
        passed: count((status) => status === 'passed'),
        skipped: count((status) => status !== 'passed' && status !== 'failed'),
      };
    },
  };
}

function firstLines(text: string): string {
  return stripVTControlCharacters(text)
    .split('\n')
    .filter((line) => !line.includes('node_modules'))
    .slice(0, SHOWN_LINES)
    .map((line) => `  ${line}`)
    .join('\n');
}

function say(what: string, found: Found): void {
  console.log(
    found.path === null ? `${what}: none (${found.reason}); its tests are skipped` : `${what}: ${found.path}`,
  );
}

async function endToEnd(): Promise<Sum> {
  console.log('\n== hosts for the end-to-end tests');
  const chromium = await ensureChromium();
  say('Chromium', chromium);
  if (chromium.path !== null) process.env.PARALLAX_CHROMIUM = chromium.path;
  const { findElectron, noDisplayReason } = await import('../cli/desktop.ts');
  say('Electron', findElectron({ fetch: Boolean(process.env.CI) }));
  const display = noDisplayReason() === null ? null : await startDisplay();
  if (display !== null) process.env.DISPLAY = display.name;
  const noDisplay = noDisplayReason();
  console.log(noDisplay === null ? 'display: yes' : `display: none (${noDisplay}); desktop tests are skipped`);
  try {
    return await testStage('e2e');
  } finally {
    display?.stop();
  }
}

async function main(): Promise<void> {
  process.env.PATH = `${BIN}${delimiter}${process.env.PATH ?? ''}`;
  const only = new Set(process.argv.slice(2));
  const wanted = (stage: string): boolean => only.size === 0 || only.has(stage);
  const sums: Sum[] = [];
  const checks: readonly (readonly [string, string, readonly string[]])[] = [
    ['types', join(BIN, 'tsc'), ['--noEmit']],
    ['lint', join(BIN, 'biome'), ['check', '--diagnostic-level=error', '.']],
    ['build', process.execPath, ['cli/build.ts']],
  ];
  sums.push(...(await Promise.all(checks.filter(([name]) => wanted(name)).map((check) => checkStage(...check)))));
  if (wanted('unit')) sums.push(await testStage('unit'));
  if (wanted('e2e')) sums.push(await endToEnd());
  const total = (key: 'passed' | 'skipped'): number => sums.reduce((sum, each) => sum + each[key], 0);
  const failures = sums.flatMap((each) => each.failures);
  for (const one of sums.flatMap(({ unstable }) => unstable)) {
    console.log(`\nUNSTABLE, failed first and passed when its file was run again: ${one}`);
  }
  for (const failure of failures) console.log(`\nFAILED: ${failure}`);
  const skipped = total('skipped');
  console.log(`\n${total('passed')} passed, ${failures.length} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  process.exitCode = failures.length === 0 ? 0 : 1;
}

await main();
