export { inlineRunner, refusingRunner, type ThreadRunnerOptions, threadRunner } from './jobClient.ts';
export { resumeUnfinished } from './resume.ts';
export { type ImportProgress, runImport } from './runImport.ts';
export { runTokens } from './runTokens.ts';
export { runUpkeep } from './runUpkeep.ts';
export type { JobEnd, JobRequest, JobRunner } from './types.ts';
