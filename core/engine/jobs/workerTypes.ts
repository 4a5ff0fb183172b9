import type { FollowedPath } from '../../store/index.ts';
import type { FollowNews } from '../follow/types.ts';
import type { FromThread } from '../threads/types.ts';
import type { JobProgress } from './execute.ts';
import type { JobEnd, JobRequest } from './types.ts';

/** What a job thread is started with. */
export interface JobWorkerData {
  /** Folder of the library. */
  readonly dir: string;
  /** Who waits for the engine (Waits.shared): what nobody waits for stands still meanwhile. */
  readonly waits: SharedArrayBuffer;
}

/** What is sent to a job thread. One run at a time. */
export type ToJobWorker =
  | { readonly kind: 'run'; readonly request: JobRequest }
  | { readonly kind: 'cancel' }
  /** From now on these paths are followed, and no others. */
  | { readonly kind: 'follow'; readonly paths: readonly FollowedPath[] }
  | { readonly kind: 'close' };

/** What a job thread answers: each run with its end, however it ends. */
export type FromJobWorker = FromThread<JobEnd, JobProgress, FollowNews>;
