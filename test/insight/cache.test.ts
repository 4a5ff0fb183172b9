// What a cache serves, by provider; prices as a table.
import { describe, expect, it } from 'vitest';
import { CacheFollower, cacheRuleOf, servedTokens } from '../../core/insight/cache.ts';
import { PRICES, parsePrices, priceOf } from '../../core/insight/prices.ts';
import type { CacheBreak } from '../../core/projection/cacheBreak.ts';
import { bareModelId } from '../../core/tokens/models.ts';

describe('the rule of a model', () => {
  it.each([
    ['claude-opus-5', 'anthropic', 512],
    ['claude-sonnet-4-5-20250929', 'anthropic', 1024],
    ['us.anthropic.claude-opus-4.6', 'anthropic', 4096],
    ['claude-haiku-4-5', 'anthropic', 4096],
    ['claude-3-haiku-20240307', 'anthropic', 2048],
    ['gpt-4o', 'openai', 1024],
    ['gemini-2.5-pro', 'google', 2048],
    ['gemini-2.5-flash', 'google', 1024],
  ])('%s: %s, from %i tokens', (model, provider, minimum) => {
    expect(cacheRuleOf(model)).toMatchObject({ provider, minimum });
  });

  it.each([null, 'llama-3'])('is not known of %s', (model) => {
    expect(cacheRuleOf(model)).toBeNull();
  });

  it.each([
    [1023, 0],
    [1024, 1024],
    [1151, 1024],
    [1152, 1152],
  ])('in steps of 128, %i tokens in common serve %i', (prefix, served) => {
    expect(servedTokens(prefix, { minimum: 1024, step: 128 })).toBe(served);
  });
});

const BREAK: CacheBreak = {
  stage: 0,
  kind: 'reachability_gc',
  title: 'Reachability GC',
  index: 1,
  change: 'edited',
  fate: 'redacted',
  rule: null,
  reason: 'r',
};
const PRICE = { model: 'm', input: 3, cachedRead: 1, cacheWrite: 4 };

/** Requests as [tokens in common, tokens again, all tokens, blocks]; a break if anything is sent again. */
function served(model: string | null, requests: readonly (readonly [number, number, number, number])[], beside = 0) {
  const follower = new CacheFollower(cacheRuleOf(model), PRICE, beside);
  return requests.map(([tokens, again, all, blocks], at) => {
    const prefix = at === 0 ? null : { messages: 1, tokens, again, brokenBy: again > 0 ? BREAK : null };
    return follower.next({ prefix, byCategory: [all], blocks });
  });
}

describe('what is served', () => {
  it('is what an earlier request wrote, not what two have in common', () => {
    // The second breaks in the middle of the first; the first wrote to its end only, and nothing before.
    const points = served('claude-sonnet-4-5', [
      [0, 0, 5000, 10],
      [4000, 800, 5200, 12],
      [5200, 0, 6000, 14],
    ]);
    expect(points.map((point) => point?.servedTokens)).toEqual([undefined, 0, 5200]);
    expect(points[1]?.cost).toBeCloseTo((4800 * (4 - 1)) / 1e6);
    expect(points[2]?.cost).toBe(0);
  });

  it('goes back to an earlier request that is still a beginning', () => {
    const points = served('claude-sonnet-4-5', [
      [0, 0, 2000, 4],
      [2000, 0, 5000, 8],
      [3000, 1500, 4600, 9],
    ]);
    expect(points.map((point) => point?.servedTokens)).toEqual([undefined, 2000, 2000]);
  });

  it('is nothing where the last write is more than 20 blocks back', () => {
    const far = served('claude-sonnet-4-5', [
      [0, 0, 2000, 10],
      [2000, 0, 3000, 31],
    ]);
    expect(far[1]?.servedTokens).toBe(0);
    const near = served('claude-sonnet-4-5', [
      [0, 0, 2000, 10],
      [2000, 0, 3000, 30],
    ]);
    expect(near[1]?.servedTokens).toBe(2000);
  });

  it('begins with tools and system prompt: they help a short history over the minimum', () => {
    const requests = [
      [0, 0, 500, 4],
      [500, 0, 700, 6],
    ] as const;
    expect(served('claude-sonnet-4-5', requests)[1]).toMatchObject({ prefixTokens: 500, servedTokens: 0 });
    const beside = served('claude-sonnet-4-5', requests, 600);
    expect(beside[1]).toMatchObject({ prefixTokens: 1100, servedTokens: 1100 });
  });

  it('serves tools and system prompt where messages are matched by content and differ from the first on', () => {
    const points = served(
      'gpt-4o',
      [
        [0, 0, 5000, 10],
        [0, 4000, 5200, 12],
      ],
      2000,
    );
    // 2,000 in common, in steps of 128 behind 1,024; the 4,000 that are there again are paid again.
    expect(points[1]).toMatchObject({ prefixTokens: 2000, servedTokens: 1920 });
    expect(points[1]?.cost).toBeCloseTo(((6000 - 1920) * (4 - 1)) / 1e6);
  });

  it('is matched by content where a provider does', () => {
    const points = served('gpt-4o', [
      [0, 0, 5000, 10],
      [4000, 800, 5200, 60],
    ]);
    expect(points[1]?.servedTokens).toBe(3968);
  });

  it('is all that is in common where no rule is known, and costs nothing where no price is', () => {
    expect(
      served(null, [
        [0, 0, 50, 1],
        [40, 10, 60, 2],
      ])[1]?.servedTokens,
    ).toBe(40);
    const follower = new CacheFollower(null, null);
    follower.next({ prefix: null, byCategory: [50], blocks: 1 });
    const prefix = { messages: 1, tokens: 40, again: 10, brokenBy: BREAK };
    expect(follower.next({ prefix, byCategory: [60], blocks: 2 })?.cost).toBeNull();
  });
});

describe('prices', () => {
  it.each([
    ['claude-opus-4-20250514', 15],
    ['claude-opus-4-5', 5],
    ['anthropic/claude-sonnet-4.5', 3],
    ['gpt-5-mini', 0.25],
    ['gpt-5-codex', 1.25],
    ['gpt-4o-2024-08-06', 2.5],
    ['gemini-2.5-flash-lite', 0.1],
  ])('%s: %d for a million tokens', (model, input) => {
    expect(priceOf(PRICES, bareModelId(model))?.input).toBe(input);
  });

  // Another version has a price of its own; a guess would be worse than none.
  it.each(['claude-opus-4-9', 'gpt-5.5-pro', 'gpt-5.9', 'llama-3', ''])('are not known of %s', (model) => {
    expect(priceOf(PRICES, bareModelId(model))).toBeNull();
  });

  it('names each model once, and reads cost no more than fresh tokens', () => {
    expect(parsePrices(PRICES)).toEqual({ ok: true, value: PRICES });
    for (const { model, input, cachedRead, cacheWrite } of PRICES) {
      expect(cachedRead <= input && input <= cacheWrite, model).toBe(true);
    }
  });

  it.each<[unknown, string]>([
    ['x', 'Prices must be a list of rows.'],
    [[1], 'Row 1: a row must be an object.'],
    [[{ model: ' ' }], 'Row 1: model must be the id of a model, or what it begins with.'],
    [[{ model: 'a', input: -1, cachedRead: 0, cacheWrite: 0 }], 'Row 1: input, cachedRead and cacheWrite of a must be'],
  ])('%j is refused', (value, said) => {
    const read = parsePrices(value);
    expect(read.ok ? '' : read.error).toContain(said);
  });
});
