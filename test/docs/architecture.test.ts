// The page of the architecture has a row for every folder of core, and for no other; the list of decisions has every decision.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const PAGE = readFileSync(join(ROOT, 'docs', 'architecture.md'), 'utf8');

/** Folders that the rows of its first table are about. */
function owners(page: string): readonly string[] {
  const [, table = ''] = page.split('## Who owns what');
  const rows = table.split('\n## ')[0]?.split('\n') ?? [];
  return rows.flatMap((row) => {
    const [, first = ''] = row.split('|');
    return [...first.matchAll(/`([\w/*]+)`/g)].map(([, folder = '']) => folder.replace(/\/\*$/, ''));
  });
}

const folders = (below: string): readonly string[] =>
  readdirSync(join(ROOT, below), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${below}/${name}`);

test('every folder of core has a row', () => {
  const named = owners(PAGE);
  expect(named.filter((folder) => folder.startsWith('core/')).sort()).toEqual([...folders('core')].sort());
  expect(named).toEqual(expect.arrayContaining(['renderer', 'electron', 'cli']));
  expect(owners(PAGE.replace('| `core/tokens` |', '| tokens |'))).not.toContain('core/tokens');
});

test('every decision is in the list, under the title it has', () => {
  const folder = join(ROOT, 'docs', 'decisions');
  const files = readdirSync(folder).filter((name) => /^\d{3}-/.test(name));
  const titled = files.map((name) => {
    const [first = ''] = readFileSync(join(folder, name), 'utf8').split('\n');
    return `| [${name.slice(0, 3)}](${name}) | ${first.replace(/^# \d{3}\. /, '')} |`;
  });
  const listed = readFileSync(join(folder, 'README.md'), 'utf8').match(/^\| \[\d{3}\].*$/gm);
  expect(listed).toEqual(titled);
});
