import type { FollowedPath } from '../../store/index.ts';
import type { FollowNews } from '../follow/types.ts';
import type { JobProgress } from './execute.ts';
import type { JobEnd, JobRequest } from './types.ts';

/** What a job thread is started with. */
export interface JobWorkerData {
  /** Folder of the library. */
  readonly dir: string;
}

/** What is sent to a job thread. One run at a time. */
export type ToJobWorker =
  | { readonly kind: 'run'; readonly run: number; readonly request: JobRequest }
  | { readonly kind: 'cancel'; readonly run: number }
  /** From now on these paths are followed, and no others. */
  | { readonly kind: 'follow'; readonly paths: readonly FollowedPath[] }
  | { readonly kind: 'close' };

/** What a job thread answers. Every run ends with exactly one `end`. */
export type FromJobWorker =
  | { readonly kind: 'news'; readonly news: FollowNews }
  | { readonly kind: 'progress'; readonly run: number; readonly progress: JobProgress }
  | { readonly kind: 'end'; readonly run: number; readonly end: JobEnd };
