// Test files run one after the other in the same worker, with the same modules: what one leaves behind meets the next.
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { filesBelow } from './support/shared.ts';

const TESTS = import.meta.dirname;

/** What stays in force after its file, or, in a module that several files load, is in force in the first alone. */
const LEFT_BEHIND: readonly (readonly [
  pattern: RegExp,
  instead: string,
  isMeant: (name: string, text: string) => boolean,
])[] = [
  [/\bvi\.(mock|doMock|resetModules)\(/, 'vi.spyOn, restored', () => true],
  [/\bprocess\.chdir\(/, 'a path from import.meta.dirname', (_name, text) => !GOES_BACK.test(text)],
  [/^(beforeAll|beforeEach|afterAll|afterEach)\(/m, 'onTestFinished in what is called', isSupport],
];

/** Commands that are run as they are written name files of the folder they are run in. */
const GOES_BACK = /^afterAll\(\(\) => \{\n {2}process\.chdir\(before\);/m;

function isSupport(name: string): boolean {
  return !/\.(test|e2e|bench)\.tsx?$/.test(name);
}

function leftBehind(name: string, text: string): readonly string[] {
  return LEFT_BEHIND.filter(([pattern, , isMeant]) => isMeant(name, text) && pattern.test(text)).map(
    ([pattern, instead]) => `${name}: ${pattern.exec(text)?.[0]} (${instead})`,
  );
}

test('no test file changes modules, or hooks, for those after it', () => {
  const own = relative(TESTS, import.meta.filename);
  const names = filesBelow(TESTS)
    .map((path) => relative(TESTS, path))
    .filter((name) => /\.tsx?$/.test(name) && name !== own);
  expect(names.length).toBeGreaterThan(300);
  expect(names.flatMap((name) => leftBehind(name, readFileSync(join(TESTS, name), 'utf8')))).toEqual([]);
});

test('and it would be seen', () => {
  expect(leftBehind('a.test.ts', "vi.mock('node:fs');")).toHaveLength(1);
  expect(leftBehind('a.test.ts', 'process.chdir(dir);')).toHaveLength(1);
  expect(leftBehind('a.test.ts', 'process.chdir(dir);\nafterAll(() => {\n  process.chdir(before);\n});')).toEqual([]);
  expect(leftBehind('support.ts', 'afterEach(() => {});')).toHaveLength(1);
  expect(leftBehind('a.test.ts', 'afterEach(() => {});')).toEqual([]);
});

/** What unit tests are given by vite.config.ts, in seconds: a busy machine is no failure, so none takes less. */
const PATIENCE = 240;

function impatient(name: string, text: string): readonly string[] {
  const given = [...text.matchAll(/(?<!spawnSync\(.*)\btimeout: (\d+)_000\b(?! \+)/g)];
  return given.filter(([, seconds]) => Number(seconds) < PATIENCE).map(([found]) => `${name}: ${found}`);
}

test('no unit test is given less time than all are', () => {
  const names = filesBelow(TESTS).filter((path) => /\.test\.tsx?$/.test(path) && path !== import.meta.filename);
  expect(names.flatMap((path) => impatient(relative(TESTS, path), readFileSync(path, 'utf8')))).toEqual([]);
  expect(impatient('a', "test('b', { timeout: 60_000 }, run); test('c', { timeout: 300_000 }, run)")).toHaveLength(1);
});
