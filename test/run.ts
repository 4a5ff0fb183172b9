// `npm test`: types, lint, build, unit and end-to-end tests, one after the other; the last line is the sum. What a
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
}

const PASSED: Sum = { passed: 1, skipped: 0, failures: [] };
const failed = (...failures: readonly string[]): Sum => ({ passed: 0, skipped: 0, failures });

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

async function checkStage(name: string, command: string, args: readonly string[]): Promise<Sum> {
  console.log(`\n== ${name}`);
  const good = await run(command, args);
  console.log(`== ${name}: ${good ? 'passed' : 'FAILED'}`);
  return good ? PASSED : failed(`${name}: see above`);
}

/** Runs a vitest project; its counts come from its JSON report. A file that failed to load counts as one failure. */
async function testStage(project: string, args: readonly string[]): Promise<Sum> {
  console.log(`\n== ${project} tests`);
  const folder = mkdtempSync(join(tmpdir(), 'parallax-test-'));
  const report = join(folder, 'report.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const good = await run(join(BIN, 'vitest'), ['run', '--project', project, ...reporters, ...args]);
  const sum = existsSync(report)
    ? sumOf(project, readFileSync(report, 'utf8'), good)
    : failed(`${project} tests: no report was written`);
  rmSync(folder, { recursive: true, force: true });
  return sum;
}

function sumOf(project: string, text: string, good: boolean): Sum {
  const report = VitestReport.parse(JSON.parse(text));
  const failures = report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(CHECKOUT, name);
    if (status === 'failed' && assertionResults.length === 0) return [`${file} did not load: ${firstLines(message)}`];
    return assertionResults
      .filter((one) => one.status === 'failed')
      .map(
        ({ fullName, failureMessages }) => `${file} > ${fullName}\n${firstLines((failureMessages ?? []).join('\n'))}`,
      );
  });
  // An error outside of any test (an unhandled rejection) fails the run too.
  if (failures.length === 0 && !good) failures.push(`${project} tests: an error outside of any test, see above`);
  return { passed: report.numPassedTests, skipped: report.numPendingTests + report.numTodoTests, failures };
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
    return await testStage('e2e', []);
  } finally {
    display?.stop();
  }
}

async function main(): Promise<void> {
  process.env.PATH = `${BIN}${delimiter}${process.env.PATH ?? ''}`;
  const only = new Set(process.argv.slice(2));
  const wanted = (stage: string): boolean => only.size === 0 || only.has(stage);
  const sums: Sum[] = [];
  if (wanted('types')) sums.push(await checkStage('types', join(BIN, 'tsc'), ['--noEmit']));
  if (wanted('lint'))
    sums.push(await checkStage('lint', join(BIN, 'biome'), ['check', '--diagnostic-level=error', '.']));
  if (wanted('build')) sums.push(await checkStage('build', process.execPath, ['cli/build.ts']));
  if (wanted('unit')) sums.push(await testStage('unit', []));
  if (wanted('e2e')) sums.push(await endToEnd());
  const total = (key: 'passed' | 'skipped'): number => sums.reduce((sum, each) => sum + each[key], 0);
  const failures = sums.flatMap((each) => each.failures);
  for (const failure of failures) console.log(`\nFAILED: ${failure}`);
  const skipped = total('skipped');
  console.log(`\n${total('passed')} passed, ${failures.length} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  process.exitCode = failures.length === 0 ? 0 : 1;
}

await main();
