import { describe, expect, it } from 'vitest';
import { CATEGORIES } from '../../core/model/category.ts';
import { type BudgetItem, budgetState, capTokens, createBudget } from '../../core/tokens/budget.ts';
import { NO_OVERHEAD, overheadOf } from '../../core/tokens/overhead.ts';

const budget = createBudget({
  window: 1000,
  reserveOutput: 200,
  injectionReserve: 100,
  caps: { tool_result: { share: 0.3 }, summary: { tokens: 5 }, image: { tokens: 9 } },
});
const byCategory = (counts: Readonly<Record<string, number>>) => CATEGORIES.map((category) => counts[category] ?? 0);
const history = (tokens: number, index: number): BudgetItem => ({ tokens, index, role: 'history' });
const state = (counts: Readonly<Record<string, number>>, items: readonly BudgetItem[] = []) => {
  const special = items.flatMap((item) => (item.role === 'history' ? [] : [{ ...item, category: 'user' as const }]));
  return budgetState(budget, byCategory(counts), special, () => items);
};

describe('the total', () => {
  it.each([
    [1000, 200, 100, 700],
    [1000, 900, 200, 0],
    [8, 0, 0, 8],
  ])('of %i, less %i and %i, is %i', (window, reserveOutput, injectionReserve, total) => {
    expect(createBudget({ window, reserveOutput, injectionReserve, caps: {} }).total).toBe(total);
  });

  it('is what shares are of', () => {
    expect([capTokens(budget, 'tool_result'), capTokens(budget, 'summary'), capTokens(budget, 'user')]).toEqual([
      210,
      5,
      null,
    ]);
    expect(capTokens(null, 'user')).toBeNull();
  });
});

describe('a view held against it', () => {
  it('fits, tier by tier', () => {
    expect(state({ user: 100, tool_result: 250 })).toEqual({
      ...{
        window: 1000,
        reserveOutput: 200,
        injectionReserve: 100,
        total: 700,
        beside: NO_OVERHEAD,
        room: 700,
        used: 350,
        injected: 0,
        margin: 0,
        fits: true,
        overflow: null,
      },
      tiers: [
        { tier: 'user', tokens: 100, cap: null, over: 0 },
        { tier: 'tool_result', tokens: 250, cap: 210, over: 40 },
        { tier: 'image', tokens: 0, cap: 9, over: 0 },
        { tier: 'summary', tokens: 0, cap: 5, over: 0 },
      ],
    });
  });

  it('is over: by how much, and from which message on', () => {
    const items = [history(300, 4), history(400, 5), history(10, 7)];
    expect(state({ user: 710 }, items).overflow).toEqual({ tokens: 10, fromPosition: 2, fromIndex: 7 });
    expect(state({ user: 700 }, items.slice(0, 2)).overflow).toBeNull();
  });

  it('counts a summary as a tier, and what is injected against its reserve', () => {
    const items: BudgetItem[] = [
      { tokens: 8, index: null, role: 'summary' },
      history(690, 3),
      { tokens: 90, index: null, role: 'injected' },
    ];
    const { used, injected, tiers, overflow } = state({ user: 788 }, items);
    expect({ used, injected, overflow }).toEqual({ used: 698, injected: 90, overflow: null });
    expect(tiers.find(({ tier }) => tier === 'summary')).toEqual({ tier: 'summary', tokens: 8, cap: 5, over: 3 });
    expect(tiers.find(({ tier }) => tier === 'user')?.tokens).toBe(690);
  });

  it('counts what stands beside the messages, the system prompt in its tier', () => {
    const beside = overheadOf({ system: 40, tools: 60 }, 100);
    const parts = { window: 1000, reserveOutput: 200, injectionReserve: 100, caps: { system: { tokens: 45 } } };
    const small = createBudget({ ...parts, beside });
    expect(small).toMatchObject({ total: 700, room: 500 });
    const items = [history(10, 0), history(490, 1), history(1, 2)];
    const held = (counts: Readonly<Record<string, number>>) => budgetState(small, byCategory(counts), [], () => items);
    expect(held({ system: 10, user: 490 })).toMatchObject({ used: 700, beside, overflow: null });
    expect(held({ system: 10, user: 490 }).tiers).toEqual([
      { tier: 'system', tokens: 50, cap: 45, over: 5 },
      { tier: 'user', tokens: 490, cap: null, over: 0 },
    ]);
    expect(held({ system: 10, user: 491 }).overflow).toEqual({ tokens: 1, fromPosition: 2, fromIndex: 2 });
  });

  it('has no room where more stands beside the messages than the total', () => {
    const beside = overheadOf({ system: 0, tools: 900 });
    const none = createBudget({ window: 1000, reserveOutput: 200, injectionReserve: 0, caps: {}, beside });
    expect(none).toMatchObject({ total: 800, room: 0 });
    const items = [history(1, 0)];
    const { used, overflow } = budgetState(none, byCategory({ user: 1 }), [], () => items);
    expect({ used, overflow }).toEqual({ used: 901, overflow: { tokens: 101, fromPosition: 0, fromIndex: 0 } });
  });

  it('asks for single messages only if they do not fit', () => {
    const never = (): never => {
      throw new Error('asked');
    };
    expect(budgetState(budget, byCategory({ user: 700 }), [], never).overflow).toBeNull();
    expect(() => budgetState(budget, byCategory({ user: 701 }), [], never)).toThrow('asked');
  });
});
