// What a format claims to recover, a file shows; what a file shows, its format claims; and docs/formats.md says the same.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { unpackZlib } from '../../core/engine/files/unpackZlib.ts';
import { formats } from '../../core/importers/formats/index.ts';
import { importText } from '../../core/importers/memory.ts';
import { RECOVERED, type Recovered } from '../../core/importers/types.ts';
import { recoveredIn } from '../support/recovered.ts';
import { corpusFiles, filesBelow, sharedDir } from '../support/shared.ts';

const FIXTURES = join(import.meta.dirname, '..', 'fixtures');
const PAGE = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'formats.md'), 'utf8');

function shownBy(paths: readonly string[]): ReadonlyMap<string, ReadonlySet<Recovered>> {
  const shown = new Map<string, Set<Recovered>>();
  for (const path of paths) {
    const file = importText(readFileSync(path), { unpack: unpackZlib });
    if (file.format === null) continue;
    const known = shown.get(file.format) ?? new Set();
    for (const what of recoveredIn(file)) known.add(what);
    shown.set(file.format, known);
  }
  return shown;
}

const fixtures = filesBelow(FIXTURES).filter((path) => !path.endsWith('.golden.json'));
const shown = shownBy([...fixtures, ...formats.all.flatMap(({ id }) => corpusFiles(id))]);
const inOrder = (set: Iterable<Recovered>) => RECOVERED.filter((what) => new Set(set).has(what));

describe.each(formats.all.map((format) => [format.id, format.recovers] as const))('%s', (id, recovers) => {
  it('claims what a fixture or a corpus file shows', () => {
    const found = inOrder(shown.get(id) ?? []);
    // Some claims have their file in the corpus only.
    if (sharedDir()) expect(found).toEqual(recovers);
    else expect(recovers).toEqual(expect.arrayContaining(found));
  });

  it('has its row in the table of docs/formats.md', () => {
    const row = PAGE.match(new RegExp(`^\\| ${id} \\|(.*)\\|$`, 'm'))?.[1] ?? '';
    const cells = row.split('|').map((cell) => cell.trim());
    expect(cells).toEqual(RECOVERED.map((what) => (recovers.includes(what) ? '✓' : '')));
  });
});

it('the table has a column for each', () => {
  expect(PAGE).toContain(`| format | ${RECOVERED.join(' | ')} |\n`);
});
