// docs/formats.md names every format and every problem of an import, and no other.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { formats } from '../../core/importers/formats/index.ts';
import { filesBelow } from '../support/shared.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const PAGE = readFileSync(join(ROOT, 'docs', 'formats.md'), 'utf8');

test('every format has its chapter, under its id and title', () => {
  const chapters = [...PAGE.matchAll(/^## ([a-z0-9-]+: .+)$/gm)].map(([, chapter]) => chapter);
  expect(chapters.sort()).toEqual(formats.all.map(({ id, title }) => `${id}: ${title}`).sort());
});

test('every code is in the table, and every code of the table is in use', () => {
  const sources = filesBelow(join(ROOT, 'core')).filter((path) => path.endsWith('.ts'));
  const used = new Set(
    sources
      .map((path) => readFileSync(path, 'utf8'))
      .flatMap((source) => [...source.matchAll(/'(import\.[a-z_0-9]+)'/g)].map(([, code]) => code)),
  );
  // Methods of the protocol, not problems.
  for (const method of ['import.start', 'import.result']) used.delete(method);
  const listed = [...PAGE.matchAll(/^\| `(import\.[a-z_0-9]+)` \|/gm)].map(([, code]) => code);
  expect(listed.sort()).toEqual([...used].sort());
});
