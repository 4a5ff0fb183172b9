// The requests of a session, for hosts that have no library open.
export { aboutImported, importedModel, requestedImport } from './aboutImported.ts';
export { type CountedAbout, countingOf, type TokenCounting, usageOf, windowOf } from './counting.ts';
export { findUses } from './findUses.ts';
export { followPoints, type PointsToFollow } from './followPoints.ts';
export { lintSession, type SessionRequest } from './lintSession.ts';
export { type Answering, RequestProjector } from './projector.ts';
export { type FilteredSession, fittingMessages, rowTester } from './rowTester.ts';
export { type RequestedSession, type RequestOptions, requestPricing, SessionRequests } from './sessionRequests.ts';
export { type CountedInputs, stageInputs } from './stageInputs.ts';
