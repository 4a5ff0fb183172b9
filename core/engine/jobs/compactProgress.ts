// SQLite writes a library again in one step that reports nothing and never yields. First it gathers what stays,
// in a file nobody sees; then it writes that to the log beside the library, which grows: this is watched from outside.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { LIBRARY_FILE } from '../../store/index.ts';
import { formatBytes } from '../rows/format.ts';
import type { JobProgress } from './importAll.ts';

const LOOK_MILLISECONDS = 200;

/** How far it is: `written` of `total` bytes; before anything is written, how far is not known. */
export function compactProgress(written: number, total: number): JobProgress {
  const base = { bytesPerSecond: null, secondsLeft: null, transcriptIds: [] };
  if (written === 0 || total === 0) return { ...base, progress: null, message: 'gathering what stays' };
  const done = Math.min(written, total);
  return { ...base, progress: done / total, message: `${formatBytes(done)} of ${formatBytes(total)} written` };
}

/** Reports how far it is until the answer is called. `dir` = the library's folder, `total` = bytes that stay. */
export function watchCompaction(dir: string, total: number, report: (progress: JobProgress) => void): () => void {
  const log = join(dir, `${LIBRARY_FILE}-wal`);
  const size = () => statSync(log, { throwIfNoEntry: false })?.size ?? 0;
  // What was in the log before is none of it.
  const before = size();
  const look = () => report(compactProgress(Math.max(0, size() - before), total));
  const timer = setInterval(look, LOOK_MILLISECONDS);
  timer.unref();
  look();
  return () => clearInterval(timer);
}
