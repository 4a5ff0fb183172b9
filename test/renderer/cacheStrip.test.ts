import { describe, expect, it } from 'vitest';
import { cacheRuleOf } from '../../core/insight/cacheRules.ts';
import { PRICES, parsePrices } from '../../core/insight/prices.ts';
import type { SeriesPoint } from '../../core/protocol/types.ts';
import { cacheCells, nextBreak, sumOf } from '../../renderer/cache/cells.ts';
import {
  EMPTY_ROW,
  EMPTY_STEP,
  isChanged,
  parsePrice,
  parseTokens,
  readDraft,
  toDraft,
} from '../../renderer/cache/priceDraft.ts';
import {
  describeBreak,
  describeCell,
  describeCost,
  describeEvidence,
  describeLoss,
  describeLossCost,
  describeProvider,
  describeRecorded,
  describeSum,
  formatGap,
  formatPrice,
} from '../../renderer/cache/words.ts';
import { formatCost } from '../../renderer/ui/format.ts';

type Cache = NonNullable<SeriesPoint['cache']>;

const BREAK: Cache['brokenBy'] = {
  stage: 1,
  kind: 'reachability_gc',
  title: 'Reachability GC',
  index: 57,
  change: 'edited',
  fate: 'redacted',
  rule: 'unreachable',
  reason: 'nobody names it',
};

const point = (at: number, cache: SeriesPoint['cache'] | undefined, total = 100): SeriesPoint => ({
  at,
  turn: 1,
  byCategory: [total],
  ...(cache === undefined ? {} : { cache }),
});
const grew = (prefixTokens: number): Cache => ({
  prefixMessages: 3,
  prefixTokens,
  servedTokens: prefixTokens,
  againTokens: 0,
  brokenBy: null,
  cost: 0,
  writtenTokens: 0,
  points: 'assumed',
  loss: null,
});
const broke = (againTokens: number, cost: number | null = 0.12): Cache => ({
  ...grew(20),
  againTokens,
  brokenBy: BREAK,
  cost,
});

const late = (tokens: number, cost: number | null = 0.3): Cache => ({
  ...grew(90),
  servedTokens: 10,
  loss: { why: 'time', tokens, gapMs: 12 * 60_000, lifetimeMs: 5 * 60_000, cost },
});

describe('the strip', () => {
  it('has a cell for each call point: what is kept of it, and whether that broke', () => {
    const cells = cacheCells([point(1, null), point(3, grew(80)), point(5, broke(60)), point(7, undefined)], 10);
    expect(cells.map(({ state, kept }) => [state, kept])).toEqual([
      ['first', 0],
      ['grew', 0.8],
      ['broken', 0.2],
      ['unknown', 0],
    ]);
  });

  it('shows the costliest break of those that share a bar', () => {
    const points = [grew(90), broke(10), broke(60), grew(90), grew(90), grew(90)].map((cache, at) => point(at, cache));
    const cells = cacheCells(points, 2);
    expect(cells.map(({ state, point: { at } }) => [state, at])).toEqual([
      ['broken', 2],
      ['grew', 3],
    ]);
  });

  it('tells what came too late from what a policy broke, and what is not cached at all', () => {
    const uncached: Cache = { ...grew(80), points: 'none', servedTokens: 0 };
    const points = [late(80), { ...broke(60), loss: late(5).loss }, uncached].map((cache, at) => point(at, cache));
    expect(cacheCells(points, 10).map(({ state, kept }) => [state, kept])).toEqual([
      ['lost', 0.1],
      ['broken', 0.2],
      ['uncached', 0],
    ]);
    // In one bar the break speaks, then the pause.
    expect(cacheCells(points, 1)[0]?.state).toBe('broken');
    expect(cacheCells([point(0, grew(9)), point(1, late(3))], 1)[0]?.point.at).toBe(1);
  });

  it('counts what stands beside the messages', () => {
    expect(cacheCells([point(1, grew(80))], 10, 100)[0]).toMatchObject({ total: 200, kept: 0.4 });
  });

  it('is walked from break to break', () => {
    const cells = cacheCells(
      [broke(1), grew(9), grew(9), broke(1), grew(9)].map((cache, at) => point(at, cache)),
      9,
    );
    expect([nextBreak(cells, 4, -1), nextBreak(cells, 3, -1), nextBreak(cells, 0, -1)]).toEqual([3, 0, 0]);
    expect([nextBreak(cells, 0, 1), nextBreak(cells, 3, 1)]).toEqual([3, 3]);
  });

  it('is summed up', () => {
    const points = [point(0, null), point(1, broke(60, 0.1)), point(2, grew(5)), point(3, broke(40, 0.02))];
    expect(sumOf(points)).toMatchObject({ breaks: 2, again: 100, cost: 0.12000000000000001, late: 0 });
    const paused = sumOf([...points, point(5, late(40))]);
    expect(paused).toMatchObject({ breaks: 2, late: 1, lateTokens: 40, lateCost: 0.3 });
    expect(describeSum(paused, 'exact')).toBe(
      '2 cache breaks, 100 tok again, $0.12 more; 1 by time, 40 tok, $0.30 more',
    );
    expect(sumOf([...points, point(4, broke(1, null))]).cost).toBeNull();
    expect(describeSum(sumOf(points), 'estimated')).toBe('2 cache breaks, ~100 tok again, ~$0.12 more');
    expect(describeSum(sumOf([]), 'exact')).toBe('no cache break');
  });
});

describe('a break in words', () => {
  it('names the stage, the message and what became of it', () => {
    expect(describeBreak(broke(60))).toBe('broken at #57: Reachability GC (cleared)');
    const put = { ...BREAK, index: null, change: 'inserted' as const, fate: null };
    expect(describeBreak({ ...broke(60), brokenBy: put })).toBe('broken: Reachability GC (inserted)');
    const back = { ...BREAK, change: 'restored' as const, fate: 'kept' as const };
    expect(describeBreak({ ...broke(60), brokenBy: back })).toBe('broken at #57: Reachability GC (restored)');
    expect(describeBreak(grew(60))).toBe('prefix unchanged; new messages appended');
  });

  it('says what it costs, if that is known', () => {
    expect(describeCost(broke(12_300), 'exact')).toBe('12,300 tok are sent and read again: $0.12 more');
    expect(describeCost(broke(60, null), 'exact')).toMatch(/no price is known/);
    expect(describeCost(grew(60), 'exact')).toBeNull();
    expect(describeCell(point(210, broke(60)), 100, 'exact')).toMatch(
      /^call #210: 20 of 100 tok kept; broken at #57: /,
    );
    expect(describeCell(point(1, null), 100, 'exact')).toMatch(/first request/);
  });

  it('tells a pause from the policy', () => {
    expect(describeLoss(late(60))).toBe('not by the policy: 12 min since the request before, the cache lives 5 min');
    expect(describeLossCost(late(41_200), 'exact')).toBe('41,200 tok are written again: $0.30 more');
    expect(describeLossCost(late(60, null), 'exact')).toBe('60 tok are written again');
    expect(describeLoss(grew(60))).toBeNull();
    const far: Cache = { ...grew(60), loss: { why: 'reach', tokens: 9, gapMs: null, lifetimeMs: null, cost: 0 } };
    expect(describeLoss(far)).toMatch(/too many blocks/);
    expect(describeBreak({ ...grew(60), points: 'none' })).toMatch(/not cached/);
    const cell = describeCell(
      { ...point(7, late(60)), recorded: { input: null, read: 41_200, written: null } },
      100,
      'exact',
    );
    expect(cell).toMatch(/not by the policy: 12 min .*; recorded: 41,200 tok read$/);
    expect(describeRecorded({ input: null, read: 0, written: 320 })).toBe('recorded: 0 tok read, 320 written');
  });

  it('tells a change of model from both, in cells, sums and words, whatever its name is', () => {
    const of = (to: string, cost: number | null = 0.2): Cache => ({
      ...{ ...grew(90), servedTokens: 10 },
      loss: { why: 'model', tokens: 80, gapMs: null, lifetimeMs: null, changed: { from: 'gpt-5', to }, cost },
    });
    expect(describeLoss(of('o3'))).toBe('not by the policy: the model changed from gpt-5 to o3');
    expect(cacheCells([point(3, of('o3'))], 9)[0]).toMatchObject({ state: 'lost', kept: 0.1 });
    const sum = sumOf([point(3, of('o3')), point(5, of('o3')), point(7, late(41_200))]);
    expect(describeSum(sum, 'exact')).toBe(
      'no cache break; 1 by time, 41,200 tok, $0.30 more; 2 by a change of model, 160 tok, $0.40 more',
    );
    expect(describeSum(sumOf([point(3, of('o3', null))]), 'exact')).toMatch(/1 by a change of model, 80 tok$/);
    const words = describeLoss(of(`a\u202eb\u0007${'long'.repeat(500)}`)) ?? '';
    expect(words).not.toMatch(/[\u0000-\u001f\u202e]/);
    expect(words.length).toBeLessThan(160);
  });

  it('tells the provider’s diagnosis as its own, of the recorded request', () => {
    const diagnosis = { cause: 'system', word: 'system_changed', missedTokens: 147_942 } as const;
    const recorded = { input: null, read: 33_510, written: null, diagnosis };
    expect(describeProvider(recorded)).toBe('provider: system prompt changed, 147,942 tok (its estimate)');
    expect(describeProvider({ ...recorded, diagnosis: { cause: null } })).toBeNull();
    expect(describeProvider({ ...recorded, diagnosis: { cause: 'unknown', word: 'never_seen' } })).toBeNull();
    expect(describeProvider({ ...recorded, diagnosis: { cause: 'unknown', word: 'unavailable' } })).toMatch(
      /no statement/,
    );
    const told = { ...point(7, grew(60)), recorded };
    expect(describeCell(told, 100, 'exact')).toMatch(
      /prefix unchanged; new messages appended; recorded: 33,510 tok read; provider: system/,
    );
    const cells = cacheCells([point(5, grew(60)), told, point(9, broke(60))], 3);
    expect(cells.map((cell) => [cell.state, cell.reported])).toEqual([
      ['grew', false],
      ['grew', true],
      ['broken', false],
    ]);
    // It is no break of the policy.
    expect(sumOf([told]).breaks).toBe(0);
    expect(nextBreak(cells, 0, 1)).toBe(1);
    const shared = cacheCells([told, point(9, grew(60))], 1)[0];
    expect(shared).toMatchObject({ reported: true, point: { at: 7 } });
  });

  it('says what it takes for granted', () => {
    const rule = cacheRuleOf('claude-opus-5');
    const evidence = { mode: 'auto', marked: false, ttl: '1h', timed: false } as const;
    expect(describeEvidence(evidence, rule)).toBe(
      'Assumes a cache breakpoint at the end of each request, for an hour. No times are recorded: assumes that every request came in time.',
    );
    expect(describeEvidence({ ...evidence, marked: true, timed: true }, rule)).toBe(
      'Breakpoints as the transcript records them.',
    );
    expect(describeEvidence({ ...evidence, timed: true }, cacheRuleOf('gpt-4o'))).toBe('');
  });

  it.each([
    [40_000, '40 s'],
    [12 * 60_000, '12 min'],
    [2.5 * 3_600_000, '2.5 h'],
    [72 * 3_600_000, '3 days'],
  ])('%d ms are %s', (ms, text) => expect(formatGap(ms)).toBe(text));

  it.each([
    [0, '$0'],
    [0.000_321, '$0.00032'],
    [0.1, '$0.10'],
    [12.345, '$12.35'],
    [1234.5, '$1,235'],
  ])('%f dollars are %s', (dollars, text) => expect(formatCost(dollars)).toBe(text));

  it.each([
    [5, '$5'],
    [0.5, '$0.50'],
    [18.75, '$18.75'],
    [0.125, '$0.125'],
  ])('a price of %f is stated as %s', (dollars, text) => expect(formatPrice(dollars)).toBe(text));
});

describe('the price table', () => {
  it('comes back as it was', () => {
    const read = readDraft(toDraft(PRICES));
    expect(read).toEqual({ ok: true, rows: PRICES });
    expect(read.ok && parsePrices(read.rows).ok).toBe(true);
  });

  it.each([
    ['3', 3],
    ['$0.25', 0.25],
    ['0,25', 0.25],
    ['.5', 0.5],
    ['', null],
    ['-1', null],
    ['1.2.3', null],
  ])('"%s" is %s', (text, value) => expect(parsePrice(text)).toBe(value));

  it('tells the first fault', () => {
    const row = { model: 'm', input: '1', cachedRead: '1', cacheWrite: '1', cacheWrite1h: '', output: '', above: [] };
    const step = { ...row, tokens: '272k' };
    expect(readDraft([row, { ...row }])).toEqual({ ok: false, fault: 'm is listed twice.' });
    expect(readDraft([{ ...row, input: 'x' }])).toMatchObject({
      ok: false,
      fault: expect.stringMatching(/^m: a price/),
    });
    expect(readDraft([{ ...row, model: ' ' }])).toMatchObject({ ok: false });
    expect(readDraft([{ ...EMPTY_ROW, cacheWrite: ' ' }])).toEqual({ ok: true, rows: [] });
    const fault = (above: (typeof step)[]) => readDraft([{ ...row, above }]);
    expect(fault([{ ...step, tokens: 'x' }])).toMatchObject({ fault: expect.stringMatching(/^m: a step .* needs/) });
    expect(fault([{ ...step, input: 'x' }])).toMatchObject({
      fault: expect.stringMatching(/^m: above 272,000 tokens: a/),
    });
    expect(fault([step, { ...step, tokens: '272,000' }])).toMatchObject({ fault: expect.stringMatching(/twice/) });
    expect(readDraft([{ ...row, above: [step, EMPTY_STEP, { ...step, tokens: '9' }] }])).toMatchObject({
      rows: [{ above: [{ tokens: 9 }, { tokens: 272_000 }] }],
    });
    expect(parseTokens('0')).toBeNull();
  });

  it('is changed when other rows come of it, or none that can be read', () => {
    const typed = toDraft(PRICES);
    const [first = EMPTY_ROW, ...rest] = typed;
    expect(isChanged(typed, PRICES)).toBe(false);
    expect(isChanged([EMPTY_ROW, ...typed], PRICES)).toBe(false);
    expect(isChanged([{ ...first, input: `$${first.input}.0` }, ...rest], PRICES)).toBe(false);
    expect(isChanged([{ ...first, input: '99' }, ...rest], PRICES)).toBe(true);
    expect(isChanged([{ ...first, input: 'x' }, ...rest], PRICES)).toBe(true);
    expect(isChanged(rest, PRICES)).toBe(true);
  });
});
