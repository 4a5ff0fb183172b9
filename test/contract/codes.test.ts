// A failure's code that both sides act on is written once: a code that one side spells otherwise is never acted on.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import * as CODES from '../../core/protocol/codes.ts';
import { filesBelow } from '../support/shared.ts';

const CHECKOUT = resolve(import.meta.dirname, '..', '..');

it('codes that both sides act on are written once', () => {
  const sources = ['core', 'renderer', 'cli', 'electron']
    .flatMap((folder) => filesBelow(join(CHECKOUT, folder)))
    .filter((file) => /\.tsx?$/.test(file));
  const found = Object.values(CODES).map((code) => {
    const holders = sources.filter((file) => readFileSync(file, 'utf8').includes(`'${code}'`));
    return [code, holders.map((file) => file.slice(CHECKOUT.length + 1).replaceAll('\\', '/'))];
  });
  expect(found).toEqual(Object.values(CODES).map((code) => [code, ['core/protocol/codes.ts']]));
});
