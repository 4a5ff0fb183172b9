import { describe, expect, it } from 'vitest';
import { parseSpec } from '../../core/projection/parseSpec.ts';
import { STAGES } from '../../core/projection/stages.ts';
import type { ProjectionSpec } from '../../core/projection/types.ts';
import type { BudgetState } from '../../core/tokens/budget.ts';
import { capText, parseCap, parseTokens, setCap, setReserve } from '../../renderer/budget/editBudget.ts';
import { gaugeOf, gaugeState } from '../../renderer/budget/gauge.ts';

const RAW: ProjectionSpec = { version: 1, stages: [] };

describe('a budget edited', () => {
  it('writes what is set and nothing else', () => {
    const reserved = setReserve(RAW, 'reserve_output', 8000);
    expect(reserved.budget).toEqual({ reserve_output: 8000 });
    expect(setReserve(reserved, 'reserve_output', 0)).toEqual(RAW);
    const capped = setCap(setCap(reserved, 'tool_result', '30%'), 'summary', 2000);
    expect(capped.budget).toEqual({ reserve_output: 8000, caps: { tool_result: '30%', summary: 2000 } });
    expect(setCap(setCap(capped, 'summary', null), 'tool_result', null)).toEqual(reserved);
    expect(parseSpec(capped, STAGES).ok).toBe(true);
  });

  it.each<readonly [string, string | number | null]>([
    ['30%', '30%'],
    [' 12.5 % ', '12.5%'],
    ['101 %', null],
    ['0.3', 0.3],
    ['.25', 0.25],
    ['0.0', null],
    ['12,000', 12_000],
    ['12k', 12_000],
    ['1.5k', 1500],
    ['0', 0],
    ['-1', null],
    ['a lot', null],
    ['', null],
  ])('a cap typed as "%s" means %s', (text, cap) => {
    expect(parseCap(text)).toBe(cap);
    if (cap !== null) expect(parseSpec(setCap(RAW, 'user', cap), STAGES).ok).toBe(true);
  });

  it('is shown as it is typed', () => {
    expect([capText('30%'), capText(0.125), capText(12_000)]).toEqual(['30 %', '12.5 %', '12,000']);
    expect([parseTokens('8 000'), parseTokens('8_000'), parseTokens('1.5')]).toEqual([8000, 8000, null]);
  });
});

const BUDGET: BudgetState = {
  window: 100,
  reserveOutput: 20,
  injectionReserve: 10,
  total: 70,
  beside: { system: 0, tools: 0, overhead: 0, total: 0 },
  room: 70,
  used: 40,
  injected: 0,
  tiers: [
    { tier: 'user', tokens: 30, cap: null, over: 0 },
    { tier: 'summary', tokens: 10, cap: 5, over: 5 },
    { tier: 'image', tokens: 0, cap: 5, over: 0 },
  ],
  overflow: null,
};
const OVER: BudgetState = {
  ...BUDGET,
  used: 170,
  tiers: [{ tier: 'user', tokens: 170, cap: null, over: 0 }],
  overflow: { tokens: 100, fromPosition: 3, fromIndex: 12 },
};

describe('the gauge', () => {
  it('shows tiers from the left and reserves at the right, as shares of the window', () => {
    const { tiers, reserves, mark } = gaugeOf(BUDGET);
    expect(tiers.map(({ key, share }) => [key, share])).toEqual([
      ['user', 0.3],
      ['summary', 0.1],
    ]);
    expect(reserves.map(({ key, share }) => [key, share])).toEqual([
      ['injection', 0.1],
      ['output', 0.2],
    ]);
    expect(tiers.map(({ over }) => over)).toEqual([undefined, 5]);
    expect(mark).toBeNull();
  });

  it('is as long as everything together where that is more than the window', () => {
    const { tiers, reserves, mark } = gaugeOf(OVER);
    expect([...tiers, ...reserves].reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
    expect(mark).toBe(0.35);
  });

  it('says how it stands, and since which message', () => {
    expect(gaugeState(BUDGET, 'exact')).toEqual({ tone: 'ok', text: '30 free (43 %)', from: null });
    expect(gaugeState({ ...BUDGET, used: 65 }, 'estimated')).toMatchObject({
      tone: 'close',
      text: expect.stringMatching(/^about 5 free/),
    });
    expect(gaugeState(OVER, 'exact')).toMatchObject({
      tone: 'over',
      text: expect.stringMatching(/^Over by 100:/),
      from: 12,
    });
  });
});
