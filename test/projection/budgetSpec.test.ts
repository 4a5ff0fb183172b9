import { describe, expect, it } from 'vitest';
import { capOf, resolveBudget } from '../../core/projection/budgetSpec.ts';
import { parseSpec } from '../../core/projection/parseSpec.ts';
import { STAGES } from '../../core/projection/stages.ts';

const parse = (budget: unknown) => parseSpec({ version: 1, stages: [], budget }, STAGES);

describe('the budget of a spec', () => {
  it('is kept as it was written', () => {
    const budget = {
      model: 'gpt-4o',
      reserve_output: 1000,
      injection_reserve: 0,
      caps: { tool_result: '30%', user: 500 },
    };
    const parsed = parse(budget);
    expect(parsed.ok && parsed.value.spec.budget).toEqual(budget);
    expect(parse(null)).toMatchObject({ ok: true, value: { spec: {} } });
  });

  it.each([
    [7, 'budget'],
    [{ window: 0 }, 'budget.window'],
    [{ window: '8k' }, 'budget.window'],
    [{ reserve_output: -1 }, 'budget.reserve_output'],
    [{ injection_reserve: 1.5 }, 'budget.injection_reserve'],
    [{ model: 4 }, 'budget.model'],
    [{ model: 'nobody-knows-1' }, 'budget.model'],
    [{ caps: [] }, 'budget.caps'],
    [{ caps: { results: 1 } }, 'budget.caps.results'],
    [{ caps: { user: '130%' } }, 'budget.caps.user'],
    [{ caps: { user: 1.5 } }, 'budget.caps.user'],
  ])('%j is refused at %s', (budget, path) => {
    const parsed = parse(budget);
    expect(parsed.ok ? [] : parsed.error.map(({ where }) => where?.path)).toEqual([path]);
  });

  it('warns of names without effect, and takes an unknown model beside a window', () => {
    const parsed = parse({ windw: 1, model: 'nobody-knows-1', window: 5 });
    expect(parsed.ok && parsed.value.warnings.map(({ where }) => where?.path)).toEqual(['budget.windw']);
  });
});

describe('what a cap may be', () => {
  it.each([
    [0, { tokens: 0 }],
    [1, { tokens: 1 }],
    [0.3, { share: 0.3 }],
    ['30%', { share: 0.3 }],
    [' 100 % ', { share: 1 }],
    ['0.5%', { share: 0.005 }],
    ['30', null],
    [-0.1, null],
    [Number.NaN, null],
    [null, null],
  ])('%j', (given, cap) => {
    expect(capOf(given)).toEqual(cap);
  });
});

describe('which window counts', () => {
  const windows = { chosen: undefined, specWindow: undefined, own: null };
  it.each([
    ['none is known', {}, {}, null],
    ['the model’s own', {}, { own: 5 }, 5],
    ['the spec’s older place', {}, { own: 5, specWindow: 6 }, 6],
    ['that of a model named', { model: 'gpt-4o' }, { own: 5, specWindow: 6 }, 128_000],
    ['a number', { model: 'gpt-4o', window: 7 }, { own: 5 }, 7],
    ['a model with its provider', { model: 'anthropic:claude-sonnet-4' }, { own: 5 }, 200_000],
    ['what was chosen for the request', { window: 7 }, { chosen: 8, own: 5 }, 8],
  ])('%s', (_name, spec, given, window) => {
    expect(resolveBudget(spec, { ...windows, ...given })?.window ?? null).toBe(window);
  });

  it('less what is reserved', () => {
    const budget = resolveBudget(
      { window: 100, reserve_output: 30, injection_reserve: 20, caps: { user: 0.5 } },
      windows,
    );
    expect(budget).toMatchObject({ total: 50, caps: { user: { share: 0.5 } } });
  });
});

describe('what stands beside the messages', () => {
  const windows = { own: 1000, beside: { system: 100, tools: 200 } };

  it('takes of the total; what is not recorded too', () => {
    expect(resolveBudget({ reserve_output: 300 }, windows)).toMatchObject({ total: 700, room: 400 });
    const budget = resolveBudget({ reserve_output: 300, overhead: 50 }, windows);
    expect(budget).toMatchObject({
      beside: { system: 100, tools: 200, overhead: 50, total: 350 },
      total: 700,
      room: 350,
    });
    expect(resolveBudget({ overhead: 2000 }, windows)).toMatchObject({ total: 1000, room: 0 });
  });

  it.each([[-1], [1.5], ['many'], [{}]])('overhead %j is no number of tokens', (overhead) => {
    const parsed = parseSpec({ version: 1, stages: [], budget: { overhead } }, STAGES);
    expect(parsed.ok ? [] : parsed.error.map(({ where, text }) => [where?.path, text])).toEqual([
      ['budget.overhead', expect.stringContaining('overhead must be a whole number of tokens, 0 or more')],
    ]);
  });

  it('is kept by a spec', () => {
    const parsed = parseSpec({ version: 1, stages: [], budget: { overhead: 21_340 } }, STAGES);
    expect(parsed.ok && parsed.value.spec.budget).toEqual({ overhead: 21_340 });
    expect(parsed.ok && parsed.value.warnings).toEqual([]);
  });
});
