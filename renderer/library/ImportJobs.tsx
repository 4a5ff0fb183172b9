import { X } from 'lucide-react';
import type { JobInfo } from '../../core/protocol/types.ts';
import { useActions, useAppState } from '../state/context.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { Seen } from '../ui/Seen.tsx';
import { JobBar } from './JobBar.tsx';
import { progressText } from './progressText.ts';

/** Imports under way: how far, how fast, how long still. */
export function ImportJobs() {
  const jobs = useAppState((state) => state.jobs);
  const imports = Object.values(jobs).filter(
    (job) => job.kind === 'import' && (job.state === 'running' || job.state === 'queued'),
  );
  return imports.map((job) => <ImportJob key={job.jobId} job={job} />);
}

function ImportJob({ job }: { readonly job: JobInfo }) {
  const { cancelJob } = useActions();
  return (
    <div className="import-job" data-testid="import-job">
      <div className="import-job-line">
        <span className="ellipsis grow" title={job.title}>
          <Seen text={job.title} />
        </span>
        <IconButton label="Cancel the import" onClick={() => void cancelJob(job.jobId)}>
          <X size={13} />
        </IconButton>
      </div>
      <JobBar job={job} />
      <div className="mute num ellipsis">{progressText(job)}</div>
    </div>
  );
}
