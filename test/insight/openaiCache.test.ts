// OpenAI's cache from GPT-5.6 on: what a request writes by its options, how long that lives, how far back it is found.
import { describe, expect, it } from 'vitest';
import { CacheFollower, type RequestFigures } from '../../core/insight/cache.ts';
import { CacheEntries } from '../../core/insight/cacheEntries.ts';
import { cachePointsOf } from '../../core/insight/cachePoints.ts';
import { cacheRuleOf, MINUTE } from '../../core/insight/cacheRules.ts';
import { lookedUpBreakpoints, promptCacheOptions, writtenBreakpoints } from '../../core/insight/openaiBreakpoints.ts';
import { Pricing } from '../../core/insight/pricing.ts';
import { ownCacheMark } from '../../core/model/cacheMark.ts';
import { expanded } from '../support/vectors/providers/macros.ts';

const RULE = cacheRuleOf('gpt-5.6-sol');
const tokens = (count: number) => [count, 0, 0, 0, 0, 0, 0];

/** Requests of growing length, `marks` on the last message of each; `settings` = what they ask of the cache. */
function served(settings: object | null, marked: boolean, gaps: readonly number[]): readonly (number | null)[] {
  const points = cachePointsOf('auto', {
    beside: settings === null ? {} : { settingsJson: JSON.stringify({ prompt_cache_options: settings }) },
    ttls: marked ? ['5m'] : [],
    hourWritten: false,
  });
  const follower = new CacheFollower(Pricing.one({ rule: RULE }), 0, points);
  let time = 0;
  return gaps.map((gap, i) => {
    time += gap * MINUTE;
    const total = 10_000 + i * 1000;
    const prefix = i === 0 ? null : { messages: i, tokens: total - 1000, blocks: i + 1, again: 0, brokenBy: null };
    const marks = marked ? [{ tokens: total - 500, blocks: i + 1, ttl: '5m' as const, isNew: true }] : [];
    const figures: RequestFigures = { at: i, prefix, byCategory: tokens(total), blocks: i + 2, marks };
    return follower.next(figures, time)?.servedTokens ?? null;
  });
}

describe('what is written', () => {
  it.each<[string, object | null, boolean, readonly (number | null)[]]>([
    ['the end, where nothing is asked for', null, false, [null, 10_000, 11_000]],
    ['the end and own ones, by the mode that is the default', { mode: 'implicit' }, true, [null, 10_000, 11_000]],
    ['own ones alone', { mode: 'explicit' }, true, [null, 9500, 10_500]],
    ['nothing, where there are none', { mode: 'explicit' }, false, [null, 0, 0]],
  ])('%s', (_name, settings, marked, expected) => {
    expect(served(settings, marked, [0, 1, 1])).toEqual(expected);
  });

  it('is four at most, and the end is one of them', () => {
    expect(writtenBreakpoints([1, 2, 3, 4, 5], 'explicit')).toEqual([2, 3, 4, 5]);
    expect(writtenBreakpoints([1, 2, 3, 4, 5], 'implicit')).toEqual([3, 4, 5]);
    expect(lookedUpBreakpoints(Array.from({ length: 90 }, (_, i) => i))[0]).toBe(10);
  });
});

describe('how long it lives', () => {
  it.each<[string, object | null, readonly number[], number]>([
    ['half an hour', null, [0, 29], 10_000],
    ['no longer', null, [0, 31], 0],
    ['twelve hours where that is asked for', { ttl: '12h' }, [0, 11 * 60], 10_000],
    ['no longer than that', { ttl: '12h' }, [0, 13 * 60], 0],
  ])('%s', (_name, settings, gaps, expected) => {
    expect(served(settings, false, gaps).at(-1)).toBe(expected);
  });

  it('by a breakpoint’s own time', () => {
    expect(ownCacheMark({ prompt_cache_breakpoint: { mode: 'explicit', ttl: '12h' } })).toBe('1h');
    expect(ownCacheMark({ prompt_cache_breakpoint: { mode: 'explicit', ttl: '30m' } })).toBe('5m');
    expect(promptCacheOptions({ prompt_cache_options: { ttl: '12h' } })).toEqual({ mode: 'implicit', ttl: '1h' });
    expect(promptCacheOptions(null)).toEqual({ mode: 'implicit', ttl: '5m' });
  });
});

it('only the latest breakpoints are found', () => {
  const entries = new CacheEntries({ '5m': 30 * MINUTE, '1h': 720 * MINUTE });
  for (let i = 1; i <= 100; i++) entries.write({ tokens: i * 100, blocks: i, ttl: '5m' }, i * MINUTE);
  entries.keepLatest(80);
  expect(entries.upTo({ tokens: 2000, blocks: 20 })).toBeNull();
  expect(entries.upTo({ tokens: 2100, blocks: 21 })).toMatchObject({ tokens: 2100, used: 21 * MINUTE });
  expect(entries.upTo({ tokens: 99_999, blocks: 100 })).toMatchObject({ tokens: 10_000, used: 100 * MINUTE });
  entries.use({ tokens: 5000, blocks: 50 }, 200 * MINUTE);
  expect(entries.upTo({ tokens: 5000, blocks: 50 })).toMatchObject({ used: 200 * MINUTE });
});

it('vector files write long inputs short', () => {
  expect(expanded({ a: { $repeat: 'xy', $times: 3 }, b: { $each: 2, message: { text: 'n{n}' } } })).toEqual({
    a: 'xyxyxy',
    b: [{ text: 'n0' }, { text: 'n1' }],
  });
});
