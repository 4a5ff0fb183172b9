// Test files run one after the other in the same worker, with the same modules: what one leaves behind meets the next.
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { filesBelow } from './support/shared.ts';

const TESTS = import.meta.dirname;

/** What stays in force after its file, or, in a module that several files load, is in force in the first alone. */
const LEFT_BEHIND: readonly (readonly [pattern: RegExp, instead: string, isMeant: (name: string) => boolean])[] = [
  [/\bvi\.(mock|doMock|resetModules)\(/, 'vi.spyOn, restored', () => true],
  [/\bprocess\.chdir\(/, 'a path from import.meta.dirname', () => true],
  [/^(beforeAll|beforeEach|afterAll|afterEach)\(/m, 'onTestFinished in what is called', isSupport],
];

function isSupport(name: string): boolean {
  return !/\.(test|e2e|bench)\.tsx?$/.test(name);
}

function leftBehind(name: string, text: string): readonly string[] {
  return LEFT_BEHIND.filter(([pattern, , isMeant]) => isMeant(name) && pattern.test(text)).map(
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
  expect(leftBehind('support.ts', 'afterEach(() => {});')).toHaveLength(1);
  expect(leftBehind('a.test.ts', 'afterEach(() => {});')).toEqual([]);
});
