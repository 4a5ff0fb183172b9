// docs/harn.md says of each Harn policy what its definition says: names, options, defaults.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { STAGES } from '../../core/projection/stages.ts';

const PAGE = readFileSync(resolve(import.meta.dirname, '..', '..', 'docs', 'harn.md'), 'utf8');
const HARN = STAGES.stages.filter(({ family }) => family === 'harn');

/** Cells of the policy's row in the table at the top. */
function rowOf(kind: string): readonly string[] {
  const row = PAGE.split('\n').find((line) => line.startsWith(`| \`${kind}\` |`));
  return row === undefined ? [] : row.split('|').map((cell) => cell.trim());
}

it('has a row for every policy, and no other', () => {
  const rows = [...PAGE.matchAll(/^\| `([a-z_]+)` \| (?:`|\|)/gm)].map(([, kind]) => kind);
  expect(rows.sort()).toEqual(HARN.map(({ kind }) => kind).sort());
});

describe.each(HARN.map((stage) => [stage.kind, stage] as const))('%s', (kind, stage) => {
  it('is called as its row says', () => {
    const said = [...(rowOf(kind)[2] ?? '').matchAll(/`([^`]*)`/g)].map(([, name]) => (name === '""' ? '' : name));
    expect(said).toEqual(stage.aliases);
  });

  it('has its options named, with every other name they have', () => {
    const names = stage.params.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
    expect(names.filter((name) => !PAGE.includes(`\`${name}\``))).toEqual([]);
  });

  it('has its numbers as defaults', () => {
    const numbers = stage.params.filter((param) => typeof param.default === 'number');
    expect(numbers.filter((param) => !rowOf(kind)[4]?.includes(`\`${param.name}\` ${param.default}`))).toEqual([]);
  });
});
