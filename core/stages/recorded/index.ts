// What runtimes recorded of their own compactions.
export { recordedCompaction } from './recordedCompaction.ts';
