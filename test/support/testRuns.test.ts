// A second try of what failed: one real fault beside tests that fail by chance is one failure, and the others are named.
import { expect, test } from 'vitest';
import { brokenRun, filesToRepeat, readReport, sumOf, sumOfBoth, type TestRun } from './testRuns.ts';

type Status = 'passed' | 'failed' | 'skipped';

function runOf(files: Readonly<Record<string, readonly Status[]>>): TestRun {
  const all = Object.values(files).flat();
  const count = (status: Status): number => all.filter((one) => one === status).length;
  const testResults = Object.entries(files).map(([file, statuses]) => ({
    name: `/root/test/${file}.test.ts`,
    status: statuses.includes('failed') ? 'failed' : 'passed',
    assertionResults: statuses.map((status, at) => ({
      fullName: `step ${at}`,
      status,
      failureMessages: status === 'failed' ? ['it was 1'] : [],
    })),
  }));
  const [numPassedTests, numPendingTests] = [count('passed'), count('skipped')];
  const report = { success: true, numPassedTests, numPendingTests, numTodoTests: 0, testResults };
  return readReport('unit', '/root', JSON.stringify(report), count('failed') === 0);
}

const files = (...names: readonly string[]): readonly string[] => names.map((name) => `test/${name}.test.ts`);

test('what passes in the second run is unstable, what fails again failed', () => {
  const first = runOf({ good: ['passed'], real: ['passed', 'failed', 'skipped'], chance: ['failed', 'skipped'] });
  expect(filesToRepeat(first)).toEqual(files('real', 'chance'));
  const second = runOf({ real: ['passed', 'failed', 'skipped'], chance: ['passed', 'passed'] });
  expect(sumOfBoth(first, second, filesToRepeat(first))).toEqual({
    passed: 4,
    skipped: 1,
    failures: ['test/real.test.ts > step 1\n  it was 1'],
    unstable: ['test/chance.test.ts > step 0\n  it was 1'],
  });
});

test('one real fault and five that fail by chance come to one failure', () => {
  const chance = ['a', 'b', 'c', 'd', 'e'];
  const all = (status: Status) => Object.fromEntries(chance.map((name) => [name, [status]]));
  const first = runOf({ real: ['failed'], ...all('failed') });
  const sum = sumOfBoth(first, runOf({ real: ['failed'], ...all('passed') }), filesToRepeat(first));
  expect([sum.passed, sum.failures.length, sum.unstable.length]).toEqual([5, 1, 5]);
});

test('a test that fails in the second run alone failed', () => {
  const first = runOf({ a: ['failed', 'passed'] });
  const sum = sumOfBoth(first, runOf({ a: ['passed', 'failed'] }), filesToRepeat(first));
  expect([sum.passed, sum.failures, sum.unstable.length]).toEqual([1, ['test/a.test.ts > step 1\n  it was 1'], 1]);
});

test('nothing is repeated where many fail, or the run broke; a broken second run changes nothing', () => {
  const many = runOf(Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`f${at}`, ['failed'] as const])));
  expect(filesToRepeat(many)).toEqual([]);
  expect(filesToRepeat(runOf({ a: ['passed'] }))).toEqual([]);
  const broken = brokenRun('no report was written');
  expect(filesToRepeat(broken)).toEqual([]);
  expect(sumOf(broken).failures).toHaveLength(1);
  const first = runOf({ a: ['failed'] });
  expect(sumOfBoth(first, broken, filesToRepeat(first))).toEqual(sumOf(first));
});

test('an error outside of any test breaks a run of which every test passed', () => {
  const testResults = [{ name: '/root/a.test.ts', status: 'passed', assertionResults: [] }];
  const report = { success: true, numPassedTests: 1, numPendingTests: 0, numTodoTests: 0, testResults };
  expect(readReport('unit', '/root', JSON.stringify(report), false)).toMatchObject({ isBroken: true });
});

test('a file whose hook failed is a failure, though its tests are reported as skipped', () => {
  const skipped = [{ fullName: 'a step', status: 'skipped', failureMessages: [] }];
  const passed = { fullName: 'another', status: 'passed', failureMessages: [] };
  const testResults = [{ name: '/root/test/hook.e2e.ts', status: 'failed', assertionResults: [...skipped, passed] }];
  const report = { success: false, numPassedTests: 1, numPendingTests: 1, numTodoTests: 0, testResults };
  const run = readReport('e2e', '/root', JSON.stringify(report), false);
  expect(run.isBroken).toBe(false);
  expect(sumOf(run).failures).toEqual([expect.stringContaining('test/hook.e2e.ts failed outside its tests')]);
  expect(filesToRepeat(run)).toEqual(['test/hook.e2e.ts']);
});
