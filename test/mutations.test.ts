// `npm run mutations` takes an hour: what it can no longer change is found here.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { MUTATIONS } from './support/sourceMutations.ts';

const CHECKOUT = join(import.meta.dirname, '..');

it('every change made on purpose has its place in the sources once, and its tests', () => {
  const lost = MUTATIONS.filter(({ file, from, tests }) => {
    const path = join(CHECKOUT, file);
    const places = existsSync(path) ? readFileSync(path, 'utf8').split(from).length - 1 : 0;
    return places !== 1 || !tests.every((test) => existsSync(join(CHECKOUT, test)));
  });
  expect(lost.map(({ name, file }) => `${name}: ${file}`)).toEqual([]);
});

it('has a name for each', () => {
  const names = MUTATIONS.map(({ name }) => name);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});
