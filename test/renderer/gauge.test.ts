import { describe, expect, it } from 'vitest';
import { parseSpec } from '../../core/projection/parseSpec.ts';
import { STAGES } from '../../core/projection/stages.ts';
import type { ProjectionSpec } from '../../core/projection/types.ts';
import type { BudgetState } from '../../core/tokens/budget.ts';
import { gaugeOf, gaugeState, wholeRequest } from '../../renderer/budget/gauge.ts';
import { overheadOffer } from '../../renderer/budget/overhead.ts';
import {
  capText,
  keepThinking,
  parseCap,
  parseTokens,
  setCap,
  setOverhead,
  setReserve,
  setThinking,
  withoutOverhead,
} from '../../renderer/state/editBudget.ts';

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

  it('takes the overhead out of a policy, and leaves one without it as it is', () => {
    const known = setOverhead(RAW, 21_340);
    expect(known.budget).toEqual({ overhead: 21_340 });
    expect(parseSpec(known, STAGES).ok).toBe(true);
    expect(withoutOverhead(known)).toEqual(RAW);
    const other = setReserve(RAW, 'reserve_output', 8000);
    expect(withoutOverhead(setOverhead(other, 5))).toEqual(other);
    expect(withoutOverhead(other)).toBe(other);
  });

  it('keeps how thinking is treated where another policy is chosen', () => {
    const asked = setThinking(RAW, { mode: 'drop_block' });
    expect(keepThinking(RAW, asked).preserved_thinking).toEqual(asked.preserved_thinking);
    expect(keepThinking(RAW, RAW)).toBe(RAW);
  });

  it('is shown as it is typed', () => {
    expect([capText('30%'), capText(0.125), capText(12_000)]).toEqual(['30%', '12.5%', '12,000']);
    expect([parseTokens('8 000'), parseTokens('8_000'), parseTokens('1.5')]).toEqual([8000, 8000, null]);
  });
});

const NO_TOKENS = { system: 0, user: 0, assistant: 0, thinking: 0, tool_call: 0, tool_result: 0, image: 0 };
const BUDGET: BudgetState = {
  window: 100,
  reserveOutput: 20,
  injectionReserve: 10,
  total: 70,
  beside: { system: 0, tools: 0, overhead: 0, total: 0 },
  room: 70,
  margin: 0,
  fits: true,
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

  it('begins with what stands beside the messages, the system prompt out of its tier', () => {
    const beside = { system: 5, tools: 20, overhead: 10, total: 35 };
    const tiers: BudgetState['tiers'] = [
      { tier: 'system', tokens: 5, cap: null, over: 0 },
      { tier: 'user', tokens: 30, cap: null, over: 0 },
    ];
    const gauge = gaugeOf({ ...BUDGET, beside, room: 35, used: 65, tiers });
    expect(gauge.beside.map(({ key, share }) => [key, share])).toEqual([
      ['tools', 0.2],
      ['system', 0.05],
      ['overhead', 0.1],
    ]);
    expect(gauge.tiers.map(({ key, tokens }) => [key, tokens])).toEqual([['user', 30]]);
    expect(gaugeOf(BUDGET).beside).toEqual([]);
  });

  it('counts the whole request; what was typed in makes it an estimate', () => {
    const messages = { total: 30, byCategory: NO_TOKENS, provenance: 'exact' } as const;
    const of = (overhead: number, provenance: 'exact' | 'estimated') =>
      wholeRequest(messages, {
        ...{ system: 5, tools: 0, overhead, total: 5 + overhead, provenance },
        ...{ given: overhead, unrecorded: null },
      });
    expect(of(0, 'exact')).toEqual({ total: 35, provenance: 'exact' });
    expect(of(0, 'estimated')).toEqual({ total: 35, provenance: 'estimated' });
    expect(of(10, 'exact')).toEqual({ total: 45, provenance: 'estimated' });
  });

  it('is as long as everything together where that is more than the window', () => {
    const { tiers, reserves, mark } = gaugeOf(OVER);
    expect([...tiers, ...reserves].reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
    expect(mark).toBe(0.35);
  });

  it('says how it stands, and since which message', () => {
    expect(gaugeState(BUDGET, 'exact')).toEqual({ tone: 'ok', text: '30 free (43%)', from: null });
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

describe('what recorded usage offers', () => {
  const recorded = { tokens: 21_340, spread: 310, requests: 24, model: 'claude-sonnet-4-5' };

  const none = {
    system: 0,
    tools: 0,
    overhead: 0,
    total: 0,
    given: null,
    unrecorded: null,
    provenance: 'estimated',
  } as const;

  it('is to be taken over by a click where counts are plain, and says how it is known', () => {
    expect(overheadOffer(null, none, null)).toBeNull();
    expect(overheadOffer(recorded, none, null)).toMatchObject({
      tokens: 21_340,
      isUsed: false,
      text: 'Set to 21,340 (± 310), estimated from recorded usage',
      title: expect.stringContaining('Probably 21,340 (± 310) tokens'),
    });
    const given = { ...none, overhead: 21_340, given: 21_340 };
    expect(overheadOffer(recorded, given, null)).toMatchObject({
      isUsed: true,
      text: '± 310, estimated from recorded usage',
    });
  });

  it('stands there by itself where counts are calibrated, and is the way back from another number', () => {
    const line = { model: 'm', factor: 1.2, base: 21_340, requests: 24, residual: 0.01, spread: 310 };
    const own = { ...none, overhead: 21_340, unrecorded: 21_340, provenance: 'calibrated' } as const;
    expect(overheadOffer(recorded, own, line)).toMatchObject({ isUsed: true, text: expect.stringMatching(/^± 310/) });
    const other = { ...own, overhead: 500, given: 500 };
    expect(overheadOffer(recorded, other, line)).toMatchObject({ isUsed: false, tokens: null });
  });
});
