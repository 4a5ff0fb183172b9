// Checks, for hosts that have no library open.

export type { CheckOptions, SessionToCheck } from './checkedSession.ts';
export { type CheckedRules, checkSession } from './checkSession.ts';
