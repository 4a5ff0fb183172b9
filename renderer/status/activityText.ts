import type { JobInfo } from '../../core/protocol/types.ts';
import type { Work } from '../state/workActions.ts';
import { formatCount } from '../ui/format.ts';

/** What the engine is doing, as the state knows it. */
export interface Activity {
  /** The library has not been read yet, and no failure says why. */
  readonly isStarting: boolean;
  readonly isOpening: boolean;
  readonly jobs: readonly JobInfo[];
  readonly isProjecting: boolean;
  readonly isComputing: boolean;
  /** Share of the transcript's parts that are counted, 0 to 1. */
  readonly counted: number;
  /** Counts could not be kept, so nothing is counted. */
  readonly isReadOnly: boolean;
  /** What screens wait for, the latest last. */
  readonly work: readonly Work[];
}

/** The phrase: the most important thing first. */
export function activityText(now: Activity): string {
  const running = now.jobs.filter(({ state }) => state === 'running');
  const job = running.find(({ kind }) => kind === 'import') ?? running[0];
  if (job !== undefined) {
    const percent = job.progress === null ? '' : ` ${Math.floor(job.progress * 100)}%`;
    return `${job.title}${percent}`;
  }
  if (now.isStarting) return 'reading the library…';
  if (now.isOpening) return 'opening…';
  if (now.isProjecting) return 'projecting…';
  if (now.counted < 1 && !now.isReadOnly) return `counting tokens ${Math.floor(now.counted * 100)}%`;
  const work = now.work.at(-1);
  if (work !== undefined) return workText(work);
  if (now.isComputing) return 'tokens per call…';
  return 'idle';
}

function workText({ text, done, total }: Work): string {
  return done === null || total === null ? `${text}…` : `${text} ${formatCount(done)} of ${formatCount(total)}`;
}
