import type { JobInfo } from '../../core/protocol/types.ts';

/** The phrase: the most important thing first. */
export function activityText(
  jobs: readonly JobInfo[],
  pending: boolean,
  computing: boolean,
  counted: number,
  isReadOnly: boolean,
): string {
  const running =
    jobs.find((job) => job.state === 'running' && job.kind === 'import') ?? jobs.find((job) => job.state === 'running');
  if (running) {
    const percent = running.progress === null ? '' : ` ${Math.floor(running.progress * 100)}%`;
    return `${running.title}${percent}`;
  }
  if (pending) return 'projecting…';
  // Nothing is counted where the counts could not be kept.
  if (counted < 1 && !isReadOnly) return `counting tokens ${Math.floor(counted * 100)}%`;
  if (computing) return 'tokens per call…';
  return 'idle';
}
