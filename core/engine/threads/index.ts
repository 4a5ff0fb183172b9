// Threads that do tasks, for hosts.
export { ThreadPool, threadsHere } from './pool.ts';
export type { FromThread, Outcome } from './types.ts';
