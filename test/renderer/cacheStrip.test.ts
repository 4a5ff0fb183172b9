import { describe, expect, it } from 'vitest';
import { PRICES, parsePrices } from '../../core/insight/prices.ts';
import type { SeriesPoint } from '../../core/protocol/types.ts';
import { cacheCells, nextBreak, sumOf } from '../../renderer/cache/cells.ts';
import { parsePrice, readDraft, toDraft } from '../../renderer/cache/priceDraft.ts';
import { breakWords, cellWords, costWords, formatCost, sumWords } from '../../renderer/cache/words.ts';

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
    expect(sumOf(points)).toEqual({ breaks: 2, again: 100, cost: 0.12000000000000001 });
    expect(sumOf([...points, point(4, broke(1, null))]).cost).toBeNull();
    expect(sumWords(sumOf(points), 'estimated')).toBe('2 cache breaks, ~100 tok again, ~$0.12');
    expect(sumWords(sumOf([]), 'exact')).toBe('no cache break');
  });
});

describe('a break in words', () => {
  it('names the stage, the message and what became of it', () => {
    expect(breakWords(broke(60))).toBe('broken by Reachability GC at #57 (redacted)');
    const put = { ...BREAK, index: null, change: 'inserted' as const, fate: null };
    expect(breakWords({ ...broke(60), brokenBy: put })).toBe('broken by Reachability GC (put in)');
    const back = { ...BREAK, change: 'restored' as const, fate: 'kept' as const };
    expect(breakWords({ ...broke(60), brokenBy: back })).toBe('broken by Reachability GC at #57 (put back)');
    expect(breakWords(grew(60))).toBe('the request only grew');
  });

  it('says what it costs, if that is known', () => {
    expect(costWords(broke(12_300), 'exact')).toBe('12,300 tok are sent and read again: $0.12 more');
    expect(costWords(broke(60, null), 'exact')).toMatch(/no price is known/);
    expect(costWords(grew(60), 'exact')).toBeNull();
    expect(cellWords(point(210, broke(60)), 100, 'exact')).toMatch(/^call #210: 20 of 100 tok kept; broken by/);
    expect(cellWords(point(1, null), 100, 'exact')).toMatch(/first request/);
  });

  it.each([
    [0, '$0'],
    [0.000_321, '$0.00032'],
    [0.1, '$0.10'],
    [12.345, '$12.35'],
    [1234.5, '$1,235'],
  ])('%f dollars are %s', (dollars, text) => expect(formatCost(dollars)).toBe(text));
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
    const row = { model: 'm', input: '1', cachedRead: '1', cacheWrite: '1' };
    expect(readDraft([row, { ...row }])).toEqual({ ok: false, fault: 'm stands there twice.' });
    expect(readDraft([{ ...row, input: 'x' }])).toMatchObject({
      ok: false,
      fault: expect.stringMatching(/^m: a price/),
    });
    expect(readDraft([{ ...row, model: ' ' }])).toMatchObject({ ok: false });
    expect(readDraft([{ model: '', input: '', cachedRead: '', cacheWrite: ' ' }])).toEqual({ ok: true, rows: [] });
  });
});
