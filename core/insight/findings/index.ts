export { type FindingsInput, findingsOf, RefusedFollower, type RefusedRun } from './find.ts';
export { type Alternative, preventedBy } from './prevent.ts';
export * from './types.ts';
