import { describe, expect, it } from 'vitest';
import type { Category } from '../../core/model/category.ts';
import type { TokenFigure } from '../../core/protocol/types.ts';
import {
  categoryRows,
  chosenModel,
  describeProvenance,
  indexList,
  listShare,
  segments,
  signed,
  windowState,
} from '../../renderer/budget/figures.ts';
import { formatShare } from '../../renderer/ui/format.ts';

const NONE = { system: 0, user: 0, assistant: 0, thinking: 0, tool_call: 0, tool_result: 0, image: 0 };
const figure = (some: Partial<Record<Category, number>>): TokenFigure => {
  const byCategory = { ...NONE, ...some };
  return { byCategory, total: Object.values(byCategory).reduce((a, b) => a + b, 0), provenance: 'exact' };
};

describe('the bar', () => {
  it('is measured against the window', () => {
    const pieces = segments(figure({ user: 10, tool_result: 30 }), 100);
    expect(pieces.map((one) => [one.category, one.share])).toEqual([
      ['user', 0.1],
      ['tool_result', 0.3],
    ]);
  });

  it('is full over the window, with a mark where the window ends', () => {
    const over = figure({ user: 150, image: 50 });
    expect(segments(over, 100).reduce((sum, one) => sum + one.share, 0)).toBe(1);
  });

  it('has no pieces of nothing', () => {
    expect(segments(figure({}), null)).toEqual([]);
  });
});

describe('words', () => {
  it.each([
    [61_388, 200_000, 'ok', '138,612 free (69%)'],
    [190_000, 200_000, 'close', '10,000 free (5%)'],
    [200_000, 200_000, 'close', '0 free (0%)'],
    [212_400, 200_000, 'over', 'Over by 12,400: a provider would refuse this request.'],
    [1, null, 'unknown', 'No window known for this model: set one.'],
  ] as const)('%i of %s: %s', (total, window, tone, text) => {
    expect(windowState(total, window, 'exact')).toEqual({ tone, text });
  });

  it('does not know better than its counts', () => {
    expect(windowState(300, 200, 'calibrated', 99).text).toBe(
      'Over by about 100: a provider would refuse this request.',
    );
    expect(windowState(300, 200, 'calibrated', 2_925).text).toBe(
      'Over by about 100, where counts are typically 2,925 off: a provider may refuse this request.',
    );
  });

  it('says about of an estimate', () => {
    expect(windowState(300, 200, 'estimated').text).toContain('by about 100');
    expect(windowState(100, 200, 'estimated').text).toBe('about 100 free (50%)');
  });

  it('does not say twice how it counts', () => {
    expect(describeProvenance('exact', 'o200k')).toBe('exact, o200k');
    expect(describeProvenance('estimated', 'estimated with o200k_base')).toBe('estimated with o200k_base');
    expect(describeProvenance('estimated', '')).toBe('estimated');
  });

  it.each([
    [0, '0'],
    [12, '+12'],
    [-52_310, '−52,310'],
  ])('a difference of %i is %s', (value, text) => {
    expect(signed(value)).toBe(text);
  });

  it.each([
    [1, 1000, '<1%'],
    [0, 10, '0%'],
    [1, 0, '–'],
    [2, 3, '67%'],
    [999, 1000, '>99%'],
    [9, 9, '100%'],
  ])('%i of %i is %s', (part, whole, text) => {
    expect(formatShare(part, whole)).toBe(text);
  });
});

describe('lists', () => {
  it('shows the categories that hold anything, before or after', () => {
    const rows = categoryRows(figure({ user: 10, thinking: 5 }), figure({ user: 10, system: 3 }));
    expect(rows.map((row) => [row.category, row.difference])).toEqual([
      ['system', 3],
      ['user', 0],
      ['thinking', -5],
    ]);
  });

  it('prefers the recorded model among those that fit', () => {
    const model = (id: string, window: number) => ({ id, title: id, window, tokenizer: 't', exact: true });
    const models = [model('a', 100), model('b', 100), model('c', 200)];
    expect(chosenModel(models, 100, 't', 'b')?.id).toBe('b');
    expect(chosenModel(models, 100, 't', 'z')?.id).toBe('a');
    expect(chosenModel(models, 300, 't', 'b')).toBeNull();
  });

  it('measures presets against the window, else against the largest', () => {
    expect(listShare(50, 100, [50, 400])).toBe(0.5);
    expect(listShare(300, 100, [300])).toBe(1);
    expect(listShare(50, null, [50, 200])).toBe(0.25);
  });

  it('names the first signed blocks and counts the rest', () => {
    expect(indexList([1, 2, 3], 40, 2)).toEqual({ first: [1, 2], more: 38 });
    expect(indexList([1, 2], 2, 8)).toEqual({ first: [1, 2], more: 0 });
  });
});
