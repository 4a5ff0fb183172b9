// Declared against observed: what a transcript records of tokens, held against what it holds.
export { recordedOverhead } from './overhead.ts';
export { eraStarts, requestRecord } from './records.ts';
export { checkUsage, checkUsageSteps, NO_USAGE } from './usageCheck.ts';
