import { describe, expect, it } from 'vitest';
import { resultLines } from '../../renderer/search/resultLines.ts';
import {
  complete,
  completionAt,
  filterSuggestions,
  furtherFilters,
  writtenValue,
} from '../../renderer/search/suggest.ts';
import { describeCoverage, describeFound, describeSort, isBegun } from '../../renderer/search/words.ts';
import { leadFrom } from '../../renderer/ui/lead.ts';

describe('completion at the caret', () => {
  it.each([
    ['', 0, { from: 0, to: 0, filter: null, typed: '' }],
    ['err ro', 6, { from: 4, to: 6, filter: null, typed: 'ro' }],
    ['role:', 5, { from: 5, to: 5, filter: 'role', typed: '' }],
    ['x -tool:Ba', 10, { from: 8, to: 10, filter: 'tool', typed: 'Ba' }],
    ['in:"my ses', 10, { from: 3, to: 10, filter: 'in', typed: 'my ses' }],
    ['(is:er', 6, { from: 4, to: 6, filter: 'is', typed: 'er' }],
    ['"in a phra', 10, null],
    ['file.ts:4', 9, null],
    ['nope:x', 6, null],
  ])('%s|', (query, caret, expected) => {
    expect(completionAt(query, caret)).toEqual(expected);
  });

  it('takes names and values, and goes on behind a value', () => {
    const role = completionAt('error ro', 8);
    expect(filterSuggestions('ro').map(({ text }) => text)).toEqual(['role:']);
    expect(role && complete('error ro', role, 'role:')).toEqual({ query: 'error role:', caret: 11 });
    const value = completionAt('role:us rest', 7);
    expect(value && complete('role:us rest', value, 'user')).toEqual({ query: 'role:user rest', caret: 9 });
    const project = completionAt('project:"/my pr', 15);
    expect(project && complete('project:"/my pr', project, writtenValue('/my project'))).toEqual({
      query: 'project:"/my project" ',
      caret: 22,
    });
  });

  it('offers all filters behind a word that is none of them', () => {
    const { completion, found } = furtherFilters('error', 5);
    expect(complete('error', completion, found[0]?.text ?? '').query).toBe('error role:');
  });
});

describe('where a line begins that was found', () => {
  it.each([
    ['the theme', 4, 12, 0],
    ['a golden mismatch for theme here', 22, 12, 18],
    ['src/components/Studio/theme.css', 22, 12, 10],
    ['one two theme', 8, 8, 0],
    ['😀😀theme', 4, 3, 2],
  ])('%s', (text, start, before, expected) => {
    expect(leadFrom(text, start, before)).toBe(expected);
  });
});

describe('lines and words', () => {
  const hit = (transcriptId: string, index: number) => ({
    ...{ transcriptId, index, part: 0, label: 'user', origin: null, role: 'user', tool: null },
    ...{ isError: false, timestamp: null },
    ...{ occurrences: 1, snippet: { text: 'x', marks: [], cutBefore: false, cutAfter: false } },
  });
  const group = (transcriptId: string) => ({
    ...{ transcriptId, title: transcriptId, format: 'pi', project: null, model: null, startedAt: null, endedAt: null },
    ...{ hits: 1, exact: true },
  });

  it('puts the head of a transcript before its hits', () => {
    const lines = resultLines([hit('a', 1), hit('a', 2), hit('b', 0)], { a: group('a'), b: group('b') });
    expect(lines.map((line) => (line.kind === 'group' ? line.group.title : line.number))).toEqual(['a', 0, 1, 'b', 2]);
  });

  const found = { total: 1204, exact: true, transcripts: 31, sort: 'time' as const, ms: 1 };
  it('says how much, and what is not said exactly', () => {
    expect(describeFound(found)).toBe('1,204 messages in 31 transcripts');
    expect(describeFound({ ...found, total: 10_000, exact: false })).toBe('10,000+ messages');
    expect(describeSort(found, 'time')).toBeNull();
    expect(describeSort({ ...found, exact: false }, 'relevance')).toContain('Too many to rank');
    expect(describeCoverage({ indexed: 999, total: 1000, cut: 0 })).toContain('99% of the library');
    expect(describeCoverage({ indexed: 10, total: 10, cut: 0 })).toBeNull();
    expect(describeCoverage({ indexed: 10, total: 10, cut: 2 })).toContain('2 very long messages');
  });
});

it.each([
  ['format:', 0, 7, true],
  ['lamp format:', 5, 12, true],
  ['format: lamp', 0, 7, false],
  ['is:nope', 0, 7, false],
  ['a:b:', 0, 3, false],
])('a filter at the end of “%s” [%i, %i) has only begun: %s', (query, from, to, expected) => {
  expect(isBegun(query, { from, to })).toBe(expected);
});
