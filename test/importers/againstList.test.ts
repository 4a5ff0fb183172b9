// Every visible corpus file: all records accounted for, and every count that differs from the corpus's own list told in
// docs/formats.md with its numbers.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { countCorpus, explanations, unexplained } from '../support/againstList.ts';

const PAGE = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'formats.md'), 'utf8');
const files = countCorpus();

describe.skipIf(files.length === 0)('the corpus (skipped where there is no shared material)', () => {
  it('every record became part of a message, an event, an ignored one, a broken one with its problem, or a remainder', () => {
    const open = files.filter(({ records }) => {
      const { inMessages, inEvents, ignored, broken, envelopes, unaccounted } = records;
      return unaccounted > 0 || records.records !== inMessages + inEvents + ignored + broken + envelopes;
    });
    expect(open.map(({ name, records }) => [name, records])).toEqual([]);
  });

  it('what differs from its list is told in docs/formats.md, and nothing else is', () => {
    expect(unexplained(files, PAGE)).toEqual([]);
  });
});

describe('the table of differences', () => {
  const page = (rows: string): string => `x\n## Comparison with the corpus's list\n\n${rows}\n\n## Next\n`;

  it.each([
    ['told as it is', '| `a.json` | calls 1 / 2 | why |', ['calls 1 / 2'], 0],
    ['told with other numbers', '| `a.json` | calls 1 / 3 | why |', ['calls 1 / 2'], 1],
    ['not told', '', ['calls 1 / 2'], 1],
    ['told, but no more', '| `a.json` | calls 1 / 2 | why |', [], 1],
    ['told without a reason', '| `a.json` | calls 1 / 2 |  |', ['calls 1 / 2'], 1],
  ])('%s', (_name, rows, differs, faults) => {
    expect(unexplained([{ name: 'a.json', differs }], page(rows))).toHaveLength(faults);
  });

  it('is found on the page', () => {
    expect(explanations(PAGE).size).toBeGreaterThan(50);
  });
});
