export { type FindingsInput, findingSteps, findingsOf, RefusedFollower, type RefusedRun } from './find.ts';
export { type Alternative, preventedBy } from './prevent.ts';
export * from './types.ts';
