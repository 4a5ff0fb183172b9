import { expect, it } from 'vitest';
import { isSurelyPath, pathsAmong } from '../../core/insight/autopsy/paths.ts';

it.each(
  'src/auth/login.ts /etc/hosts ~/x C:/a/b README.md .gitignore .eslintrc .env a/b.yaml ../up packages/core/src /x.html'.split(
    ' ',
  ),
)('%s is a path', (word) => {
  expect(isSurelyPath(word)).toBe(true);
});

it.each(
  'pass/fail black/white zip.File list.push .brand /tbody /help dashboard/CLI config.Load up/down .map'.split(' '),
)('%s has the form of one', (word) => {
  expect(isSurelyPath(word)).toBe(false);
});

it('two folders are a path where a longer one holds them next to each other', () => {
  const words = ['core/eval', 'pass/fail', 'packages/core/eval/index.ts', 'eval/core'];
  expect([...pathsAmong(words)].sort()).toEqual(['core/eval', 'packages/core/eval/index.ts']);
});
