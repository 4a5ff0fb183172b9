// Sweeps, for hosts that have no library open.
export { SweepStoppedError, threadsHere } from './pool.ts';
export { NoValueError, POINTS_MOST, RefusedSpecError, Sweep, type SweepResult, TooManyPointsError } from './sweep.ts';
export type { GivenSession } from './types.ts';
