import { describe, expect, it } from 'vitest';
import { canBeMapped, describeMisread } from '../../renderer/state/mappable.ts';
import type { ImportReport } from '../../renderer/state/types.ts';

const report = (code: string, isError = false): ImportReport => {
  const problem = { code, severity: isError ? 'error' : 'warning', text: code } as const;
  return { file: '/a', handle: 'h', problems: [problem], error: isError ? problem : null };
};

describe('a file that a mapping may read better', () => {
  it.each([
    ['import.not_recognised', true, true],
    ['mapping.no_messages', true, true],
    ['import.unreadable', true, false],
    ['import.no_messages', false, true],
    ['import.mostly_events', false, true],
    ['import.unknown_blocks', false, true],
    ['import.invalid_utf8', false, false],
  ])('%s', (code, isError, expected) => {
    expect(canBeMapped(report(code, isError))).toBe(expected);
  });

  it('says how much was not read, of one file and of several', () => {
    expect(describeMisread([])).toBeUndefined();
    expect(describeMisread([report('import.no_messages')])).toBe(
      'No message was found in it: it may be of another format.',
    );
    expect(describeMisread([report('import.mostly_events')])).toBe(
      'Much of it was not read: it may be of another format.',
    );
    expect(describeMisread([report('import.no_messages'), report('import.mostly_events')])).toBe(
      'Much of 2 files was not read: each may be of another format.',
    );
  });
});
