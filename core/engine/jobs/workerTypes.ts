import type { JobProgress } from './execute.ts';
import type { JobEnd, JobRequest } from './types.ts';

/** What a job thread is started with. */
export interface JobWorkerData {
  /** Folder of the library. */
  readonly dir: string;
}

/** What a job thread is told. One run at a time. */
export type ToJobWorker =
  | { readonly kind: 'run'; readonly run: number; readonly request: JobRequest }
  | { readonly kind: 'cancel'; readonly run: number }
  | { readonly kind: 'close' };

/** What a job thread answers. Every run ends with exactly one `end`. */
export type FromJobWorker =
  | { readonly kind: 'progress'; readonly run: number; readonly progress: JobProgress }
  | { readonly kind: 'end'; readonly run: number; readonly end: JobEnd };
