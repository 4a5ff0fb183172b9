export { cleanToolRepair } from './cleanToolRepair.ts';
export { custom } from './custom.ts';
export { raw } from './raw.ts';
export { reachabilityGc } from './reachabilityGc.ts';
export { recordedProjection } from './recordedProjection.ts';
export { squashFailedCalls } from './squashFailedCalls.ts';
export { summaryPrefix } from './summaryPrefix.ts';
