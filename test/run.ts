// `npm test`: types, lint and build beside each other, then unit and end-to-end tests; the last line is the sum. What a
// machine lacks (a browser, an Electron binary, a display) is skipped with its reason, never passed over in silence.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { startDisplay } from './support/display.ts';
import { ensureChromium, type Found } from './support/ensureChromium.ts';
import {
  brokenRun,
  failed,
  filesToRepeat,
  PASSED,
  readReport,
  type Sum,
  sumOf,
  sumOfBoth,
  type TestRun,
} from './support/testRuns.ts';

const CHECKOUT = resolve(import.meta.dirname, '..');
const BIN = join(CHECKOUT, 'node_modules', '.bin');

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
 * Runs a vitest project; its counts come from its JSON report. A file that failed to load counts as one failure. Files that
 * failed are run once more, one after the other: what passes then is counted as passed and told as unstable.
 */
async function testStage(project: string): Promise<Sum> {
  console.log(`\n== ${project} tests`);
  const first = await runTests(project, []);
  const files = filesToRepeat(first);
  if (files.length === 0) return sumOf(first);
  console.log(`\n== ${project} tests: again, ${files.join(', ')}`);
  return sumOfBoth(first, await runTests(project, files, ['--maxWorkers=1']), files);
}

async function runTests(project: string, files: readonly string[], more: readonly string[] = []): Promise<TestRun> {
  const folder = mkdtempSync(join(tmpdir(), 'parallax-test-'));
  const report = join(folder, 'report.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const good = await run(join(BIN, 'vitest'), ['run', '--project', project, ...reporters, ...more, ...files]);
  const made = existsSync(report)
    ? readReport(project, CHECKOUT, readFileSync(report, 'utf8'), good)
    : brokenRun(`${project} tests: no report was written`);
  rmSync(folder, { recursive: true, force: true });
  return made;
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
