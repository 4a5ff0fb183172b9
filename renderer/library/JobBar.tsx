import type { JobInfo } from '../../core/protocol/types.ts';

/** How far a job is; where that is not known, that it is under way. */
export function JobBar({ job: { title, progress } }: { readonly job: JobInfo }) {
  return (
    <div
      className={`progress${progress === null ? ' progress-unknown' : ''}`}
      role="progressbar"
      aria-label={title}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={progress === null ? undefined : Math.round(progress * 100)}
    >
      <i style={{ width: `${Math.round((progress ?? 0.3) * 100)}%` }} />
    </div>
  );
}
