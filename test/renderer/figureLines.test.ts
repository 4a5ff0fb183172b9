import { describe, expect, it } from 'vitest';
import type { PresetFigure } from '../../core/protocol/types.ts';
import {
  type FigureLines,
  type FigureQuestion,
  keysOf,
  withAnswer,
  withFigure,
} from '../../renderer/budget/figureLines.ts';

const NONE = { system: 0, user: 0, assistant: 0, thinking: 0, tool_call: 0, tool_result: 0, image: 0 };
const figure = (name: string, total: number, some: Partial<PresetFigure> = {}): PresetFigure => ({
  name,
  title: name,
  group: null,
  spec: { version: 1, stages: [] },
  tokens: { total, byCategory: NONE, provenance: 'exact' },
  beside: 0,
  blocked: false,
  thinking: null,
  problem: null,
  total: 200,
  fits: true,
  ...some,
});
const SUMS = {
  peak: { at: 7, turn: 2, tokens: 300 },
  breaks: 2,
  cost: 1.5,
  unpriced: 0,
  thinking: { refused: 0, drops: 0 },
};
const MINE = { name: 'current', title: 'This policy', spec: { version: 1, stages: [] } };
const ASKED: FigureQuestion = { id: 't', at: 5, tokenizer: null, window: null, overhead: 0, afterRecorded: false };

const named = (lines: FigureLines, question: FigureQuestion) =>
  lines.map(({ figure: { name, tokens }, turnKey, alongKey }) => {
    const now = keysOf(question, name);
    return [name, tokens?.total, turnKey === now.turnKey, alongKey === now.alongKey];
  });

describe('the lines of the table, as answers come in', () => {
  const first = withAnswer([], [figure('raw', 100), figure('gc', 50)], ASKED);

  it('are final for what was asked; what is known along all call points comes after', () => {
    expect(named(first, ASKED)).toEqual([
      ['raw', 100, true, false],
      ['gc', 50, true, false],
    ]);
    const summed = withFigure(first, figure('gc', 50, { sums: SUMS, firstOver: null }), ASKED);
    expect(named(summed, ASKED)[1]).toEqual(['gc', 50, true, true]);
  });

  it('stay at another call point and are not final there, until the new one is told; sums hold at every one', () => {
    const summed = withAnswer(first, [figure('raw', 100, { sums: SUMS }), figure('gc', 50, { sums: SUMS })], ASKED);
    const next = { ...ASKED, at: 9 };
    expect(named(summed, next)).toEqual([
      ['raw', 100, false, true],
      ['gc', 50, false, true],
    ]);
    const told = withFigure(summed, figure('raw', 140), next);
    expect(named(told, next)).toEqual([
      ['raw', 140, true, true],
      ['gc', 50, false, true],
    ]);
    expect(told[0]?.figure.sums).toEqual(SUMS);
  });

  it.each([
    ['window', { window: 1000 }],
    ['tokenizer', { tokenizer: 'o200k_base' }],
    ['overhead', { overhead: 500 }],
    ['presets after recorded compaction', { afterRecorded: true }],
  ])('are final no more with another %s', (_name, change) => {
    const summed = withFigure([], figure('raw', 100, { sums: SUMS }), ASKED);
    expect(named(summed, { ...ASKED, ...change })).toEqual([['raw', 100, false, false]]);
  });

  it('of a policy that was edited are its own before, those of the presets still hold', () => {
    const asked = { ...ASKED, policies: [MINE] };
    const lines = withAnswer([], [figure('current', 80, { sums: SUMS }), figure('raw', 100, { sums: SUMS })], asked);
    const edited = { ...asked, policies: [{ ...MINE, spec: { version: 1, stages: [{ kind: 'raw' }] } }] };
    expect(named(lines, edited)).toEqual([
      ['current', 80, false, false],
      ['raw', 100, true, true],
    ]);
  });

  it('go with a policy that is not in the answer any more', () => {
    expect(withAnswer(first, [figure('raw', 100)], ASKED).map((line) => line.figure.name)).toEqual(['raw']);
  });

  it('of a policy that does not run have nothing to wait for', () => {
    const failed = withFigure([], figure('current', 0, { tokens: null, problem: 'no stage of this name' }), ASKED);
    expect(named(failed, ASKED)).toEqual([['current', undefined, true, true]]);
  });
});
