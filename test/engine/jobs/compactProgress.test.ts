import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { compactProgress, watchCompaction } from '../../../core/engine/jobs/compactProgress.ts';
import { LIBRARY_FILE } from '../../../core/store/index.ts';
import { tempDir } from '../../support/tempLibrary.ts';

afterEach(() => void vi.useRealTimers());

test.each([
  [0, 100, null, 'gathering what stays'],
  [25_000_000, 100_000_000, 0.25, '25 MB of 100 MB written'],
  [120, 100, 1, '100 B of 100 B written'],
  [5, 0, null, 'gathering what stays'],
])('%i of %i bytes', (written, total, progress, message) =>
  expect(compactProgress(written, total)).toMatchObject({ progress, message }),
);

test('it is told from the log that grows, and no more once it has ended', () => {
  vi.useFakeTimers();
  const dir = tempDir();
  const log = join(dir, `${LIBRARY_FILE}-wal`);
  writeFileSync(log, 'x'.repeat(10));
  const told: (number | null)[] = [];
  const end = watchCompaction(dir, 200, ({ progress }) => told.push(progress));
  vi.advanceTimersByTime(200);
  writeFileSync(log, 'x'.repeat(110));
  vi.advanceTimersByTime(200);
  writeFileSync(log, 'x'.repeat(500));
  vi.advanceTimersByTime(200);
  end();
  vi.advanceTimersByTime(1000);
  expect(told).toEqual([null, null, 0.5, 1]);
});
