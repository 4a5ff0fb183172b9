// Checks, for hosts that have no library open.

export { nameFrom } from './baselineKeys.ts';
export type { CheckOptions, SessionToCheck } from './checkedSession.ts';
export { type CheckedRules, checkSession } from './checkSession.ts';
