import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { TranscriptSummary } from '../../core/protocol/types.ts';
import { COLUMNS } from '../../renderer/library/tableColumns.ts';
import { clockTime, dayTime, isTime, shortTime, utcTime } from '../../renderer/ui/time.ts';

const NOW = Date.UTC(2026, 6, 30);

describe('times', () => {
  it.each([
    ['2026-07-26T15:01:01.402Z', 'Europe/Berlin', '26 Jul 2026, 17:01', '26 Jul 17:01', '17:01:01'],
    ['2026-07-26T15:01:01.402Z', 'UTC', '26 Jul 2026, 15:01', '26 Jul 15:01', '15:01:01'],
    ['2026-07-26T22:30:00Z', 'Asia/Tokyo', '27 Jul 2026, 07:30', '27 Jul 07:30', '07:30:00'],
    ['2026-07-26T00:00:00Z', 'America/New_York', '25 Jul 2026, 20:00', '25 Jul 20:00', '20:00:00'],
    ['2025-12-31T23:59:59Z', 'UTC', '31 Dec 2025, 23:59', '31 Dec 2025', '23:59:59'],
  ])('%s in %s', (iso, zone, day, short, clock) => {
    expect([dayTime(iso, zone), shortTime(iso, NOW, zone), clockTime(iso, zone)]).toEqual([day, short, clock]);
  });

  it('are in UTC on hover, whatever the zone they were recorded in', () => {
    expect(utcTime('2026-07-26T17:01:01+02:00')).toBe('2026-07-26 15:01:01 UTC');
  });

  it('leave alone what is not a time, and say nothing of none', () => {
    expect([dayTime('soon', 'UTC'), shortTime('soon', NOW), clockTime('soon'), utcTime('soon')]).toEqual(
      Array(4).fill('soon'),
    );
    expect([dayTime(null), shortTime(null, NOW), clockTime(null), utcTime(null)]).toEqual(['', '', '', '']);
  });

  it.each([
    ['2026-07-26T15:01:01Z', true],
    ['no time', false],
    [null, false],
  ])('%s is one: %s', (iso, is) => expect(isTime(iso)).toBe(is));

  it('of day are formatted in one place', () => {
    const files = globSync('renderer/**/*.{ts,tsx}');
    expect(files.length).toBeGreaterThan(100);
    const others = files.filter((file) => /toLocaleTimeString|\bhour: '/.test(readFileSync(file, 'utf8')));
    expect(others).toEqual(['renderer/ui/time.ts']);
  });

  it.each([
    [{ startedAt: '2026-07-26T15:01:01Z', endedAt: '2026-07-26T16:00:00Z' }, '2026-07-26 16:00:00 UTC'],
    [{ startedAt: '2026-07-26T15:01:01Z', endedAt: null }, '2026-07-26 15:01:01 UTC'],
    [{ startedAt: null, endedAt: null }, ''],
  ])('of the last activity in the library are in UTC on hover: %j', (times, hover) => {
    const activity = COLUMNS.find(({ key }) => key === 'activity');
    expect(activity?.hover?.(times as TranscriptSummary)).toBe(hover);
  });
});
