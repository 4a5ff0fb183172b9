import { describe, expect, it } from 'vitest';
import type { PresetFigure } from '../../core/protocol/types.ts';
import { presetRows, sortRows } from '../../renderer/budget/presetRows.ts';

const NONE = { system: 0, user: 0, assistant: 0, thinking: 0, tool_call: 0, tool_result: 0, image: 0 };
const figure = (name: string, total: number, some: Partial<PresetFigure> = {}): PresetFigure => ({
  name,
  title: name.toUpperCase(),
  spec: { version: 1, stages: [] },
  tokens: { total, byCategory: NONE, provenance: 'exact' },
  group: name === 'raw' ? null : 'harn',
  beside: 0,
  blocked: false,
  thinking: null,
  problem: null,
  total: 200,
  fits: total <= 200,
  ...some,
});
const over = (at: number) => ({ at, turn: 2, tokens: 300 });

const FIGURES = [
  figure('raw', 400, { firstOver: over(7) }),
  figure('b', 100, { firstOver: null }),
  figure('a', 300, { firstOver: over(3) }),
  figure('unknown', 50, { total: null, fits: null }),
];
const shown = (one: PresetFigure) => ({ figure: one, isFinal: true, isSummed: true });
const ROWS = presetRows(FIGURES.map(shown), 400);

describe('the table of presets', () => {
  it('counts what stands beside the messages in the request, and not against the raw history', () => {
    const [row] = presetRows([shown(figure('raw', 100, { beside: 60 }))], 200);
    expect(row).toMatchObject({ whole: 160, share: 0.8, room: 40, change: -0.5 });
  });

  it('says how each stands to the window and to the raw history', () => {
    expect(ROWS.map(({ share, room, change }) => [share, room, change])).toEqual([
      [2, -200, 0],
      [0.5, 100, -0.75],
      [1.5, -100, -0.25],
      [null, null, -0.875],
    ]);
    expect(ROWS.map(({ group }) => group)).toEqual(['', 'Harn', 'Harn', 'Harn']);
  });

  it('says what the session comes to, and nothing of a policy that does not run', () => {
    const sums = { peak: over(7), breaks: 3, cost: 1.25, unpriced: 0, thinking: { refused: 0, drops: 0 } };
    const own = figure('mine', 0, { group: null, tokens: null, total: null, fits: null, problem: 'no such stage' });
    const rows = presetRows([shown(figure('b', 100, { sums })), shown(own)], 400, () => 'Saved by you');
    expect(rows[0]).toMatchObject({ peak: over(7), breaks: 3, cost: 1.25, group: 'Harn' });
    expect(rows[1]).toMatchObject({ whole: null, change: null, share: null, room: null, group: 'Saved by you' });
    const by = (sort: 'cost' | 'peak' | 'breaks' | 'tokens') => sortRows(rows.toReversed(), sort, false)[0]?.name;
    expect([by('cost'), by('peak'), by('breaks'), by('tokens')]).toEqual(['b', 'b', 'b', 'b']);
  });

  it.each([
    ['given', false, ['raw', 'b', 'a', 'unknown']],
    ['given', true, ['unknown', 'a', 'b', 'raw']],
    ['title', false, ['a', 'b', 'raw', 'unknown']],
    ['tokens', false, ['unknown', 'b', 'a', 'raw']],
    ['tokens', true, ['raw', 'a', 'b', 'unknown']],
    ['room', false, ['raw', 'a', 'b', 'unknown']],
    ['room', true, ['b', 'a', 'raw', 'unknown']],
    ['firstOver', false, ['a', 'raw', 'b', 'unknown']],
    ['change', false, ['unknown', 'b', 'a', 'raw']],
  ] as const)('by %s, descending %s: %j', (sort, descending, names) => {
    expect(sortRows(ROWS, sort, descending).map(({ name }) => name)).toEqual(names);
  });
});
