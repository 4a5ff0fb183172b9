// Declared against observed: what a transcript records of tokens, held against what it holds.
export { eraStarts, requestRecord } from './records.ts';
export { checkUsage, NO_USAGE } from './usageCheck.ts';
