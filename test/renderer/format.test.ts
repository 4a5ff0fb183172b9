import { describe, expect, it } from 'vitest';
import { formatBytes as rowBytes } from '../../core/engine/rows/format.ts';
import { provenanceText } from '../../renderer/status/provenanceText.ts';
import {
  formatBytes,
  formatChange,
  formatLeft,
  formatMs,
  formatShort,
  formatTokens,
  plural,
  shortHash,
} from '../../renderer/ui/format.ts';

describe('numbers as they are shown', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [1000, '1k'],
    [8113, '8.1k'],
    [186_204, '186k'],
    [999_499, '999k'],
    [999_600, '1M'],
    [1_050_000, '1.05M'],
    [9_185_823, '9.19M'],
    [9_996_000, '10M'],
    [12_345_678, '12.3M'],
  ])('%i in short is %s', (value, expected) => expect(formatShort(value)).toBe(expected));

  it('say how tokens were obtained', () => {
    expect(formatTokens(1204, 'exact')).toBe('1,204');
    expect(formatTokens(1204, 'recorded')).toBe('1,204');
    expect(formatTokens(1204, 'estimated')).toBe('~1,204');
    expect(formatTokens(null, 'estimated')).toBe('–');
  });

  it.each([
    [186_204, 61_388, '−67%'],
    [100, 120, '+20%'],
    [100_000, 99_999, '±0%'],
    [100, 100, null],
    [0, 10, null],
  ])('%i to %i is %s', (before, after, expected) => expect(formatChange(before, after)).toBe(expected));

  it('times, sizes, rests', () => {
    expect([3.14, 95.2, 1400].map(formatMs)).toEqual(['3.1 ms', '95 ms', '1.4 s']);
    expect([12, 820_000, 4_800_000, 2.5e9].map(formatBytes)).toEqual(['12 B', '820 kB', '4.8 MB', '2.5 GB']);
    // As the same size reads in a row.
    for (const bytes of [0, 999, 1000, 1210, 9949, 9950, 12_499, 820_000, 999_499])
      expect(formatBytes(bytes)).toBe(rowBytes(bytes));
    expect([999_500, 999_950_000].map(formatBytes)).toEqual(['1 MB', '1 GB']);
    expect([0.2, 12, 200, 7300].map(formatLeft)).toEqual(['1 s left', '12 s left', '3 min left', '2 h left']);
    expect([plural(1, 'message'), plural(412, 'message')]).toEqual(['1 message', '412 messages']);
  });

  it('hashes by their ends', () => {
    expect(shortHash('sha256:61c0aaaabbbbccccdddd9ab4')).toBe('sha256:61c0…9ab4');
    expect(shortHash('sha256:9f2c')).toBe('sha256:9f2c');
  });

  it('provenance is said once', () => {
    expect(provenanceText('estimated', 'estimated', 'estimated with o200k_base')).toBe('estimated with o200k_base');
    expect(provenanceText('exact', 'exact', 'o200k')).toBe('exact, o200k');
    expect(provenanceText('exact', 'estimated', null)).toBe('exact → estimated');
  });
});
