// Sweeps, for hosts that have no library open.
export { StoppedError } from '../threads/types.ts';
export { NoValueError, POINTS_MOST, RefusedSpecError, Sweep, type SweepResult, TooManyPointsError } from './sweep.ts';
export type { GivenSession } from './types.ts';
