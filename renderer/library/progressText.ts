import type { JobInfo } from '../../core/protocol/types.ts';
import { formatLeft, formatRate } from '../ui/format.ts';

/** `42% · 12 of 340 · 48 MB/s · 3 s left`, as far as it is known; the second is files of many. */
export function progressText(job: JobInfo): string {
  if (job.state === 'queued') return 'waiting';
  const parts = [
    job.progress === null ? job.message : `${Math.floor(job.progress * 100)}%`,
    job.progress === null ? '' : (/^[\d,]+ of [\d,]+(?=: )/.exec(job.message)?.[0] ?? ''),
    job.bytesPerSecond === null ? '' : formatRate(job.bytesPerSecond),
    job.secondsLeft === null ? '' : formatLeft(job.secondsLeft),
  ];
  return parts.filter(Boolean).join(' · ') || 'reading';
}
