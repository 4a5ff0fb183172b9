// What a run of tests came to, from vitest's JSON report, and what a second try of the files that failed makes of it.
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';

/** Counts of one stage of `npm test`. */
export interface Sum {
  readonly passed: number;
  readonly skipped: number;
  /** What failed, each with its place and the first lines of why. */
  readonly failures: readonly string[];
  /** What failed once and passed when its file was run again: a defect of test or product, told in every run. */
  readonly unstable: readonly string[];
}

export const PASSED: Sum = { passed: 1, skipped: 0, failures: [], unstable: [] };
export const failed = (...failures: readonly string[]): Sum => ({ passed: 0, skipped: 0, failures, unstable: [] });

/** Files with failures that are run a second time, at most: where more fail it is no chance. */
const MOST_REPEATED = 8;

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

/** One run of some test files. */
export interface TestRun {
  readonly passed: number;
  readonly skipped: number;
  readonly failures: readonly { readonly file: string; readonly name: string; readonly why: string }[];
  /** It ended without a report, or with an error that belongs to no test. */
  readonly isBroken: boolean;
  countsOf(files: readonly string[]): { readonly passed: number; readonly skipped: number };
}

/** The files that are worth a second run: those with failures, unless the run broke or too many failed. */
export function filesToRepeat({ failures, isBroken }: TestRun): readonly string[] {
  const files = [...new Set(failures.map(({ file }) => file))];
  return isBroken || files.length > MOST_REPEATED ? [] : files;
}

export function sumOf({ passed, skipped, failures }: TestRun): Sum {
  return { passed, skipped, failures: failures.map(told), unstable: [] };
}

/**
 * The sum where `files` of the first run were run again. What failed in the first and passes in the second is unstable; what
 * fails in the second failed, whether it did in the first or not.
 */
export function sumOfBoth(first: TestRun, second: TestRun, files: readonly string[]): Sum {
  if (second.isBroken) return sumOf(first);
  const stillFails = new Set(second.failures.map(({ name }) => name));
  // Steps of a journey are skipped after one that failed: in the second run they were walked, or skipped again.
  const inFiles = first.countsOf(files);
  return {
    passed: first.passed - inFiles.passed + second.passed,
    skipped: first.skipped - inFiles.skipped + second.skipped,
    failures: second.failures.map(told),
    unstable: first.failures.filter(({ name }) => !stillFails.has(name)).map(told),
  };
}

function told({ name, why }: TestRun['failures'][number]): string {
  return `${name}\n${why}`;
}

/** A run that ended without a report. */
export function brokenRun(name: string): TestRun {
  const failures = [{ file: '', name, why: '' }];
  return { passed: 0, skipped: 0, failures, isBroken: true, countsOf: () => ({ passed: 0, skipped: 0 }) };
}

/** Reads a report of vitest; `root` = what files are named from, `good` = vitest ended with 0. */
export function readReport(project: string, root: string, text: string, good: boolean): TestRun {
  const report = VitestReport.parse(JSON.parse(text));
  const failures = report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name);
    const failed = assertionResults
      .filter((one) => one.status === 'failed')
      .map(({ fullName, failureMessages }) => {
        return { file, name: `${file} > ${fullName}`, why: firstLines((failureMessages ?? []).join('\n')) };
      });
    if (status !== 'failed' || failed.length > 0) return failed;
    // The report counts the tests behind a `beforeAll` that failed as skipped, and says nothing of why.
    const what = assertionResults.length === 0 ? 'did not load' : 'failed outside its tests (a hook), see above';
    return [{ file, name: `${file} ${what}`, why: firstLines(message) }];
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
        .filter(({ name }) => files.includes(relative(root, name)))
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
