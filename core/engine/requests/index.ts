// The requests of a session, for hosts that have no library open.
export { aboutImported, importedModel } from './aboutImported.ts';
export { type CountedAbout, countingOf, type TokenCounting, usageOf } from './counting.ts';
export { type RequestOptions, SessionRequests } from './sessionRequests.ts';
export { type CountedInputs, stageInputs } from './stageInputs.ts';
