import { describe, expect, it } from 'vitest';
import { STAGES } from '../../core/projection/stages.ts';
import type { ProjectionSpec } from '../../core/projection/types.ts';
import { byFamily, inGroups } from '../../renderer/policy/families.ts';
import { inOrder, orderProblems, placeFor, placeLast } from '../../renderer/policy/placeStage.ts';

const FAMILY: Readonly<Record<string, string>> = {
  recorded_compaction: 'recorded',
  gc: 'harn',
  raw: 'harn',
  window: 'reducers',
  injection: 'reducers',
  vendor: 'vendors',
  hygiene: 'hygiene',
  tool_result_retention: 'reducers',
  tier_caps: 'reducers',
  sliding_window: 'reducers',
};
const KINDS = Object.entries(FAMILY).map(([kind, family]) => ({
  kind,
  family,
  title: kind,
  help: '',
  params: [],
  keepsThinking: 'no' as const,
  traits: STAGES.traitsOf(kind),
}));

const spec = (...kinds: readonly string[]): ProjectionSpec => ({ version: 1, stages: kinds.map((kind) => ({ kind })) });
const kindsOf = ({ stages }: ProjectionSpec) => stages.map(({ kind }) => kind);

describe('a new stage', () => {
  it.each<readonly [readonly string[], string, number]>([
    [[], 'gc', 0],
    [['gc'], 'hygiene', 1],
    [['gc', 'hygiene'], 'window', 1],
    [['gc', 'window', 'injection', 'hygiene'], 'vendor', 2],
    [['window', 'hygiene'], 'recorded_compaction', 0],
    [['hygiene'], 'raw', 1],
    [['hygiene'], 'unknown', 1],
    [['hygiene', 'gc'], 'window', 0],
    [['gc', 'tool_result_retention', 'sliding_window', 'hygiene'], 'tier_caps', 2],
    [['tier_caps', 'hygiene'], 'sliding_window', 1],
    [['sliding_window'], 'tool_result_retention', 0],
  ])('in %j: %s goes to %i', (kinds, added, at) => {
    expect(placeFor(spec(...kinds).stages, added, KINDS)).toBe(at);
    const placed = placeLast(spec(...kinds, added), KINDS);
    expect(placed.at).toBe(at);
    expect(kindsOf(placed.spec)).toEqual(kinds.toSpliced(at, 0, added));
  });
});

describe('put in order', () => {
  it('sorts by step and leaves the rest as it is', () => {
    const messy = spec('hygiene', 'vendor', 'raw', 'gc', 'window', 'recorded_compaction', 'unknown');
    const sorted = inOrder(messy, KINDS);
    expect(kindsOf(sorted)).toEqual(['recorded_compaction', 'unknown', 'gc', 'vendor', 'raw', 'window', 'hygiene']);
    const left = orderProblems(sorted.stages, KINDS).map(({ code }) => code);
    expect(left).toEqual(['spec.raw_among_others']);
    expect(inOrder(sorted, KINDS)).toEqual(sorted);
  });
});

describe('lists', () => {
  it('have a heading for each family in the order they come', () => {
    expect(byFamily(KINDS).map(({ title, items }) => [title, items.length])).toEqual([
      ['Recorded', 1],
      ['Projection policies (Harn)', 2],
      ['Reducers', 5],
      ['Vendors’ own editing', 1],
      ['Provider hygiene', 1],
    ]);
    expect(inGroups([{ group: 'Anthropic' }, {}], ({ group }: { group?: string }) => group)).toEqual([
      { title: 'Anthropic', items: [{ group: 'Anthropic' }] },
      { title: 'As it happened', items: [{}] },
    ]);
  });
});
