export { cleanToolRepair } from './cleanToolRepair.ts';
export { raw } from './raw.ts';
export { squashFailedCalls } from './squashFailedCalls.ts';
export { summaryPrefix } from './summaryPrefix.ts';
