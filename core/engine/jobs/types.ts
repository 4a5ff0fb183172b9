import type { FolderReport, ImportOutcome, JobInfo } from '../../protocol/types.ts';
import type { Following } from '../follow/types.ts';

/** What a job is to do. */
export type JobRequest =
  /** Files, and folders: of these the transcripts in them. `mapping`: hash of one of the library, to read them by. */
  | { readonly kind: 'import'; readonly paths: readonly string[]; readonly mapping?: string }
  | { readonly kind: 'tokens'; readonly transcriptId: string; readonly tokenizer: string }
  | { readonly kind: 'upkeep' }
  /** Writes the library's file again, without its free pages: `bytes` stay. Cannot be stopped once it runs. */
  | { readonly kind: 'compact'; readonly bytes: number }
  /** Makes text searchable. */
  | { readonly kind: 'index' }
  /** Looks through transcripts: figures and findings for the list. `except`: those that are open, and looked through there. */
  | { readonly kind: 'survey'; readonly except: readonly string[] };

/** How a job ended. Every job ends in exactly one of these. */
export type JobEnd =
  | {
      readonly state: 'done';
      readonly outcomes: readonly ImportOutcome[];
      /** Of folders that were imported. */
      readonly folders?: readonly FolderReport[];
    }
  | { readonly state: 'failed'; readonly error: { readonly code: string; readonly message: string } }
  | { readonly state: 'cancelled' };

/**
 * Runs jobs one after another, imports before all others. `onJob` is called at every change (queued, running with
 * progress, end); never after the job's end. Followed paths are looked at beside the jobs.
 */
export interface JobRunner extends Following {
  /** Queues a job; its id. */
  start(request: JobRequest): string;
  /** Settles when the job has ended; rejects if there never was a job with this id. */
  end(jobId: string): Promise<JobEnd>;
  /** False if there is no such job or it has ended. */
  cancel(jobId: string): boolean;
  /** Jobs queued and running, and the last ended ones. */
  list(): readonly JobInfo[];
  /** Ends what runs (cancelled) and frees thread and connection. */
  close(): Promise<void>;
  onJob: (job: JobInfo) => void;
}
