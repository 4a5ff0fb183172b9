import { describe, expect, it } from 'vitest';
import { clockTime, dayTime, shortTime, utcTime } from '../../renderer/ui/time.ts';

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
});
