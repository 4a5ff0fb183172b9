// Whose prices and whose sums: what is said of models whose prices are not known.
import { describe, expect, it } from 'vitest';
import { judge } from '../../core/check/judge.ts';
import type { SessionFacts } from '../../core/check/types.ts';
import { costMade } from '../../core/insight/costMade.ts';
import { PRICES } from '../../core/insight/prices.ts';
import { Pricing } from '../../core/insight/pricing.ts';
import { RequestSummer } from '../../core/insight/requestSums.ts';
import type { MessageMeta } from '../../core/model/message.ts';
import { coverWords, partialSum, pricesWords } from '../../core/view/costCover.ts';

describe('the model of a request', () => {
  const metas: readonly MessageMeta[] = [
    {},
    { model: 'gpt-5.5' },
    {},
    { model: 'openai/gpt-5.5' },
    { model: 'o3' },
    {},
  ];
  const of = (stated?: string) =>
    Pricing.of(
      {
        ...{ model: 'o3', models: ['gpt-5.5', 'openai/gpt-5.5', 'o3'], stated },
        ...{ callPoints: [0, 1, 2, 3, 4, 6], metaAt: (index) => metas[index] ?? {} },
      },
      PRICES,
    );

  it('is the one recorded, else the last before, else the session’s; a provider in front of it changes nothing', () => {
    const pricing = of();
    const models = [0, 1, 2, 3, 4, 6].map((at) => pricing.at(at).model);
    expect(models).toEqual(['o3', 'gpt-5.5', 'gpt-5.5', 'gpt-5.5', 'o3', 'o3']);
    expect(pricing.models.map(({ model }) => model)).toEqual(['o3', 'gpt-5.5']);
    expect([4, 1].map((at) => pricing.positionAt(at))).toEqual([0, 1]);
  });

  it('is of the next request the one that a bundle states, which no price list is named for', () => {
    const pricing = of('claude-opus-5');
    expect([4, 5, 6].map((at) => pricing.at(at).model)).toEqual(['o3', 'o3', 'claude-opus-5']);
    expect(pricing.rows.map(({ model }) => model)).toEqual(['o3', 'gpt-5.5']);
  });

  it('reads no message where only one is named', () => {
    const metaAt = () => {
      throw new Error('read');
    };
    const one = { model: 'o3', models: ['o3', '<synthetic>'], callPoints: [1, 3, 4], metaAt };
    expect(Pricing.of(one, PRICES).at(3).price?.model).toBe('o3');
  });
});

describe('sums of requests some of which have no price', () => {
  const figures = (at: number) => ({ at, byCategory: [10], thinking: null });
  const sumsOf = (costs: readonly (number | null)[]) => {
    const summer = new RequestSummer(null, 0, costs.length - 1);
    for (const [at, cost] of costs.entries()) summer.add(figures(at), { cache: null, cost });
    return summer.sums;
  };

  it.each([
    [[1, 2, 4], { cost: 7, costOfNext: 4, unpriced: 0 }, { cost: 3, unpriced: 0 }],
    [[1, null, 4], { cost: 5, costOfNext: 4, unpriced: 1 }, { cost: 1, unpriced: 1 }],
    [[1, 2, null], { cost: 3, costOfNext: null, unpriced: 1 }, { cost: 3, unpriced: 0 }],
    [[null, null, 4], { cost: 4, costOfNext: 4, unpriced: 2 }, { cost: null, unpriced: 2 }],
    [[null, null, null], { cost: null, costOfNext: null, unpriced: 3 }, { cost: null, unpriced: 2 }],
    [[4], { cost: 4, costOfNext: 4, unpriced: 0 }, { cost: 0, unpriced: 0 }],
  ])('%o', (costs, all, made) => {
    expect(sumsOf(costs)).toMatchObject(all);
    expect(costMade(sumsOf(costs))).toEqual(made);
  });

  it('pass no rule on cost, and fail it where the rest does', () => {
    const facts: SessionFacts = {
      requests: [1, 3, 5].map((at) => ({ at, tokens: 10, cost: null })),
      ...{ compactions: [], cost: 3, unpriced: 1, cacheBreaks: 0, breaksAt: [], texts: new Map(), usesGone: null },
      ...{ findings: null, survival: null, secrets: null, refusals: new Map(), rows: new Map(), record: null },
      budget: null,
    };
    expect(judge({ cost: 5 }, facts, null)).toMatchObject({ verdict: 'unchecked' });
    expect(judge({ cost: 2 }, facts, null)).toMatchObject({ verdict: 'failed' });
    expect(judge({ cost: 5 }, { ...facts, unpriced: 0 }, null)).toMatchObject({ verdict: 'passed' });
  });
});

it('says whose prices a figure is by, and what it lacks', () => {
  expect(pricesWords(['a'])).toBe('prices of a');
  expect(pricesWords(['a', 'b'])).toBe('prices of a and b');
  expect(pricesWords(['a', 'b', 'c'])).toBe('prices of 3 models');
  expect(coverWords({ requests: 117, answers: 117, unpriced: 3 })).toBe(
    'input and output; 3 of 120 requests have no price',
  );
  expect([partialSum('$1.20', 0), partialSum('$1.20', 2)]).toEqual(['$1.20', '$1.20+']);
});
