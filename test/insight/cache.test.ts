// What a cache serves, by provider; prices as a table.
import { describe, expect, it } from 'vitest';
import { CacheFollower } from '../../core/insight/cache.ts';
import { AT_THE_END, cachePointsOf, requestPoints } from '../../core/insight/cachePoints.ts';
import { cacheRuleOf, MINUTE, servedTokens } from '../../core/insight/cacheRules.ts';
import { PRICES, parsePrices, priceAt, priceOf } from '../../core/insight/prices.ts';
import { Pricing } from '../../core/insight/pricing.ts';
import { requestTime } from '../../core/insight/requestTime.ts';
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
    ['gemini-2.5-flash', 'google', 2048],
    ['gemini-3.1-pro-preview', 'google', 4096],
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
  const follower = new CacheFollower(Pricing.one({ rule: cacheRuleOf(model), price: PRICE }), beside);
  return requests.map(([tokens, again, all, blocks], at) => {
    // A request that only grew has all blocks of the one before; another as many as of its tokens.
    const common = again === 0 ? (requests[at - 1]?.[3] ?? 0) : Math.floor((blocks * tokens) / all);
    const prefix = at === 0 ? null : { messages: 1, tokens, blocks: common, again, brokenBy: again > 0 ? BREAK : null };
    return follower.next({ at: 0, prefix, byCategory: [all], blocks });
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

  // The documentation's own example: blocks 10, 15, 35; the 20 positions from block 35 back end at block 16.
  it('is nothing where the last write is out of the 20 positions, the breakpoint being the first', () => {
    const turns = served('claude-sonnet-4-5', [
      [0, 0, 2000, 10],
      [2000, 0, 3000, 15],
      [3000, 0, 7000, 35],
    ]);
    expect(turns.map((turn) => turn?.servedTokens)).toEqual([undefined, 2000, 0]);
    expect(turns[2]?.loss).toMatchObject({ why: 'reach', tokens: 3000 });
    const near = served('claude-sonnet-4-5', [
      [0, 0, 3000, 15],
      [3000, 0, 7000, 34],
    ]);
    expect(near[1]).toMatchObject({ servedTokens: 3000, loss: null });
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
    const follower = new CacheFollower(Pricing.one());
    follower.next({ at: 0, prefix: null, byCategory: [50], blocks: 1 });
    const prefix = { messages: 1, tokens: 40, blocks: 1, again: 10, brokenBy: BREAK };
    expect(follower.next({ at: 0, prefix, byCategory: [60], blocks: 2 })?.cost).toBeNull();
  });
});

/** Requests that only grow, [all tokens, minutes since the first]; what each is served, and what it lost by time. */
function inTime(model: string, requests: readonly (readonly [number, number])[], points = AT_THE_END) {
  const follower = new CacheFollower(Pricing.one({ rule: cacheRuleOf(model), price: PRICE }), 0, points);
  return requests.map(([all, minutes], at) => {
    const tokens = requests[at - 1]?.[0] ?? 0;
    const prefix = at === 0 ? null : { messages: at, tokens, blocks: at, again: 0, brokenBy: null };
    return follower.next({ at: 0, prefix, byCategory: [all], blocks: at + 1 }, minutes * MINUTE);
  });
}

describe('lifetimes', () => {
  it.each<[string, string, number, number]>([
    ['Anthropic: 5 minutes', 'claude-sonnet-4-5', 5, 5.1],
    ['OpenAI before GPT-5: 10 minutes without use', 'gpt-4o', 10, 10.1],
    ['OpenAI: up to a day where the model can', 'gpt-5.2', 24 * 60, 24 * 60 + 1],
    ['OpenAI: not its small models', 'gpt-5-mini', 10, 10.1],
    ['OpenAI from GPT-5.6 on: 30 minutes', 'gpt-5.6-sol', 30, 30.1],
    ['Google: a day', 'gemini-2.5-pro', 24 * 60, 24 * 60 + 1],
  ])('%s', (_, model, within, after) => {
    const kept = inTime(model, [
      [8192, 0],
      [9000, within],
    ]);
    expect(kept[1]).toMatchObject({ servedTokens: 8192, loss: null });
    const gone = inTime(model, [
      [8192, 0],
      [9000, after],
    ]);
    const lifetimeMs = within * MINUTE;
    expect(gone[1]).toMatchObject({ servedTokens: 0, cost: 0, loss: { why: 'time', tokens: 8192, lifetimeMs } });
    expect(gone[1]?.loss?.gapMs).toBeCloseTo(after * MINUTE);
    expect(gone[1]?.loss?.cost).toBeCloseTo((8192 * (4 - 1)) / 1e6);
  });

  it('go on from each use', () => {
    const points = inTime('claude-sonnet-4-5', [
      [8192, 0],
      [8200, 4],
      [8300, 8],
      [8400, 12],
      [8500, 18],
    ]);
    expect(points.map((point) => point?.servedTokens)).toEqual([undefined, 8192, 8200, 8300, 0]);
  });

  it('do not at Google', () => {
    const points = inTime('gemini-2.5-pro', [
      [8192, 0],
      [8200, 23 * 60],
      [8300, 25 * 60],
      [8400, 26 * 60],
    ]);
    expect(points.map((point) => point?.servedTokens)).toEqual([undefined, 8192, 0, 8300]);
  });

  it('are an hour where that is recorded, or was chosen', () => {
    const requests = [
      [8192, 0],
      [8200, 55],
    ] as const;
    const recorded = cachePointsOf('auto', { beside: {}, ttls: [], hourWritten: true });
    expect(inTime('claude-sonnet-4-5', requests, recorded)[1]?.servedTokens).toBe(8192);
    const chosen = cachePointsOf('end1h', { beside: {}, ttls: [], hourWritten: false });
    expect(inTime('claude-sonnet-4-5', requests, chosen)[1]?.servedTokens).toBe(8192);
    const short = cachePointsOf('end', { beside: {}, ttls: [], hourWritten: true });
    expect(inTime('claude-sonnet-4-5', requests, short)[1]?.servedTokens).toBe(0);
  });

  it('are over before a policy breaks what is gone: then the break costs nothing', () => {
    const follower = new CacheFollower(Pricing.one({ rule: cacheRuleOf('claude-sonnet-4-5'), price: PRICE }));
    follower.next({ at: 0, prefix: null, byCategory: [8000], blocks: 8 }, 0);
    const prefix = { messages: 2, tokens: 3000, blocks: 3, again: 4000, brokenBy: BREAK };
    const late = follower.next({ at: 0, prefix, byCategory: [7500], blocks: 8 }, 12 * MINUTE);
    expect(late).toMatchObject({ servedTokens: 0, brokenBy: BREAK, cost: 0, loss: null });
  });

  it('do not matter where no times are recorded', () => {
    const follower = new CacheFollower(Pricing.one({ rule: cacheRuleOf('claude-sonnet-4-5'), price: PRICE }));
    follower.next({ at: 0, prefix: null, byCategory: [8000], blocks: 8 });
    const prefix = { messages: 8, tokens: 8000, blocks: 8, again: 0, brokenBy: null };
    expect(follower.next({ at: 0, prefix, byCategory: [8100], blocks: 9 })?.servedTokens).toBe(8000);
  });
});

describe('when a request was made', () => {
  const times: Readonly<Record<number, string>> = { 1: '2026-01-01T00:00:00Z', 3: '2026-01-01T00:01:00Z' };
  const at = (index: number) => times[index];
  it.each<[string, number | null, number, string | null]>([
    ['when the last message before it was there', 1, 4, '2026-01-01T00:01:00Z'],
    ['when it was answered, if none of them has a time', null, 1, '2026-01-01T00:00:00Z'],
    ['when the answer before it was, if that is all there is', 3, 5, '2026-01-01T00:01:00Z'],
    ['not known', 5, 7, null],
  ])('%s', (_, before, point, time) => {
    expect(requestTime(before, point, at)).toBe(time === null ? null : Date.parse(time));
  });
});

const mark = (tokens: number, blocks: number, isNew = true, ttl: '5m' | '1h' = '5m') => ({
  tokens,
  blocks,
  ttl,
  isNew,
});
const system = JSON.stringify([
  { type: 'text', text: 'x'.repeat(100) },
  { type: 'text', text: 'y'.repeat(100), cache_control: { type: 'ephemeral' } },
]);
const evidence = (ttls: readonly ('5m' | '1h')[], systemJson?: string) => ({
  beside: systemJson === undefined ? {} : { systemJson },
  ttls,
  hourWritten: false,
});

describe('marks', () => {
  it('beside the messages keep that beginning through a break in them', () => {
    const points = cachePointsOf('auto', evidence([], system));
    const follower = new CacheFollower(
      Pricing.one({ rule: cacheRuleOf('claude-sonnet-4-5'), price: PRICE }),
      4000,
      points,
    );
    follower.next({ at: 0, prefix: null, byCategory: [5000], blocks: 5 });
    const prefix = { messages: 0, tokens: 0, blocks: 0, again: 4500, brokenBy: BREAK };
    const broken = follower.next({ at: 0, prefix, byCategory: [4600], blocks: 5 });
    // Only the system prompt is marked: the messages were never cached, so nothing of them is paid again.
    expect(broken).toMatchObject({ points: 'recorded', servedTokens: 4000, writtenTokens: 0, cost: 0 });
  });

  it('on messages: what is behind the last is not cached', () => {
    const points = cachePointsOf('auto', evidence(['5m', '5m']));
    const follower = new CacheFollower(
      Pricing.one({ rule: cacheRuleOf('claude-sonnet-4-5'), price: PRICE }),
      0,
      points,
    );
    follower.next({ at: 0, prefix: null, byCategory: [5000], blocks: 5, marks: [mark(3000, 3)] });
    const prefix = { messages: 5, tokens: 5000, blocks: 5, again: 0, brokenBy: null };
    const next = follower.next({
      at: 0,
      prefix,
      byCategory: [6000],
      blocks: 6,
      marks: [mark(3000, 3, false), mark(5500, 6)],
    });
    expect(next).toMatchObject({ points: 'recorded', servedTokens: 3000, writtenTokens: 2500 });
  });

  it('that are not there: not cached, if only recorded ones count', () => {
    const requests = [
      [8192, 0],
      [8200, 1],
    ] as const;
    const recorded = inTime('claude-sonnet-4-5', requests, cachePointsOf('recorded', evidence([])));
    expect(recorded[1]).toMatchObject({ points: 'none', servedTokens: 0, writtenTokens: 0, cost: 0, loss: null });
    const none = inTime('gpt-4o', requests, cachePointsOf('none', evidence([])));
    expect(none[1]).toMatchObject({ points: 'none', servedTokens: 0, writtenTokens: 0 });
    const auto = inTime('claude-sonnet-4-5', requests, cachePointsOf('auto', evidence([])));
    expect(auto[1]).toMatchObject({ points: 'assumed', servedTokens: 8192, writtenTokens: 8 });
  });

  it('of a single body are those of its last request: earlier ones have one at their end', () => {
    const points = cachePointsOf('auto', evidence(['1h']));
    expect(requestPoints(points, [], { tokens: 5000, blocks: 5 }, 0)).toEqual({
      known: 'assumed',
      points: [{ tokens: 5000, blocks: 5, ttl: '1h' }],
    });
    expect(requestPoints(points, [mark(4000, 4, true, '1h')], { tokens: 5000, blocks: 5 }, 0).known).toBe('recorded');
  });

  it('that stand on older messages count where no new message has one; four at most', () => {
    const points = cachePointsOf('recorded', evidence(['5m'], system));
    const marks = [mark(1, 1, false), mark(2, 2, false), mark(3, 3, false), mark(4, 4, false)];
    const { points: found } = requestPoints(points, marks, { tokens: 9, blocks: 9 }, 10);
    expect(found.map(({ tokens }) => tokens)).toEqual([11, 12, 13, 14]);
    expect(found.map(({ blocks }) => blocks)).toEqual([3, 4, 5, 6]);
  });

  it('before GPT-5.6 nothing is marked; from then on OpenAI sets one itself', () => {
    const marks = [mark(3000, 3)];
    const points = cachePointsOf('auto', evidence(['5m']));
    const follower = new CacheFollower(Pricing.one({ rule: cacheRuleOf('gpt-5.6-sol'), price: PRICE }), 0, points);
    follower.next({ at: 0, prefix: null, byCategory: [5000], blocks: 5, marks });
    const prefix = { messages: 3, tokens: 4000, blocks: 4, again: 800, brokenBy: BREAK };
    // Broken behind the mark: what it wrote is found, however far back; what only two requests share is not.
    const next = follower.next({ at: 0, prefix, byCategory: [5200], blocks: 90, marks: [mark(3000, 3, false)] });
    expect(next).toMatchObject({ points: 'recorded', servedTokens: 3000 });
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
    ['gpt-4o-2024-05-13', 5],
    ['gpt-5-chat-latest', 1.25],
    ['gemini-2.5-flash-lite', 0.1],
  ])('%s: %d for a million tokens', (model, input) => {
    expect(priceOf(PRICES, bareModelId(model))?.input).toBe(input);
  });

  // Another version, or a smaller model of the family, has a price of its own; a guess would be worse than none.
  const others = ['gpt-5.3-codex-spark', 'gpt-5.1-codex-mini', 'o1-mini', 'o3-deep-research', 'gpt-5.5-mini'];
  it.each(['claude-opus-4-9', 'gpt-5.5-pro', 'gpt-5.9', 'llama-3', '', ...others, 'gpt-4o-audio-preview'])(
    'are not known of %s',
    (model) => {
      expect(priceOf(PRICES, bareModelId(model))).toBeNull();
    },
  );

  it('names each model once, and reads cost no more than fresh tokens', () => {
    expect(parsePrices(PRICES)).toEqual({ ok: true, value: PRICES });
    for (const { model, ...rates } of PRICES) {
      for (const { input, cachedRead, cacheWrite, cacheWrite1h = cacheWrite } of [rates, ...(rates.above ?? [])]) {
        expect(cachedRead <= input && input <= cacheWrite && cacheWrite <= cacheWrite1h, model).toBe(true);
      }
    }
  });

  it.each<[string, number, Record<string, number>]>([
    ['claude-opus-5-5', 900_000, { input: 4, cachedRead: 0.2, cacheWrite: 5, cacheWrite1h: 8 }],
    ['claude-sonnet-4-5', 200_000, { input: 3, cacheWrite1h: 6 }],
    ['claude-sonnet-4-5', 200_001, { input: 6, cachedRead: 0.6, cacheWrite: 7.5, cacheWrite1h: 12 }],
    ['gpt-5.5', 272_000, { input: 5, cachedRead: 0.5 }],
    ['gpt-5.5', 272_001, { input: 10, cachedRead: 1, cacheWrite: 10 }],
    ['gemini-2.5-pro', 250_000, { input: 2.5, cachedRead: 0.25 }],
    ['gemini-3.1-pro', 250_000, { input: 4, cachedRead: 0.4 }],
  ])('%s, a request of %d tokens', (model, tokens, rates) => {
    const price = priceOf(PRICES, model);
    expect(price && priceAt(price, tokens)).toMatchObject(rates);
  });

  it('of a long request are those of its step, and of an hour those of an hour', () => {
    const price = { model: 'm', input: 3, cachedRead: 1, cacheWrite: 4, cacheWrite1h: 6 };
    const above = [{ tokens: 10_000, input: 6, cachedRead: 2, cacheWrite: 8, cacheWrite1h: 12 }];
    const points = cachePointsOf('end1h', evidence([]));
    const follower = new CacheFollower(
      Pricing.one({ rule: cacheRuleOf('claude-sonnet-4-5'), price: { ...price, above } }),
      0,
      points,
    );
    const costs = [8000, 9000, 12_000].map((all, at) => {
      const prefix = at === 0 ? null : { messages: 1, tokens: 0, blocks: 0, again: 5000, brokenBy: BREAK };
      return follower.next({ at: 0, prefix, byCategory: [all], blocks: 3 })?.cost;
    });
    expect(costs[1]).toBeCloseTo((5000 * (6 - 1)) / 1e6);
    expect(costs[2]).toBeCloseTo((5000 * (12 - 2)) / 1e6);
  });

  it('saved before there were steps still read', () => {
    const old = [{ model: 'Claude-X', input: 3, cachedRead: 0.3, cacheWrite: 3.75 }];
    expect(parsePrices(old)).toEqual({ ok: true, value: [{ ...old[0], model: 'claude-x' }] });
  });

  it.each<[unknown, string]>([
    ['x', 'Prices must be a list of rows.'],
    [[1], 'Row 1: a row must be an object.'],
    [[{ model: ' ' }], 'Row 1: model must be the id of a model, or what it begins with.'],
    [[{ model: 'a', input: -1, cachedRead: 0, cacheWrite: 0 }], 'Row 1: input must be US dollars'],
    [[{ ...PRICE, cacheWrite1h: 'x' }], 'Row 1: cacheWrite1h must be US dollars'],
    [[{ ...PRICE, above: 3 }], 'Row 1: above must be a list of up to 5 steps (m).'],
    [[{ ...PRICE, above: [{ ...PRICE, tokens: 0 }] }], 'Row 1: above[0].tokens must be a whole number of tokens'],
    [
      [{ ...PRICE, above: [10, 10].map((tokens) => ({ ...PRICE, tokens })) }],
      'Row 1: above[1].tokens must be more than the step before (m).',
    ],
    [[{ ...PRICE, above: [{ ...PRICE, tokens: 9, cachedRead: -1 }] }], 'Row 1: above[0].cachedRead must be US dollars'],
  ])('%j is refused', (value, said) => {
    const read = parsePrices(value);
    expect(read.ok ? '' : read.error).toContain(said);
  });
});
