import { setImmediate } from 'node:timers/promises';

const SLICE_MS = 8;

/** Lets the engine answer other calls while something long runs: pauses when the current slice is used up. */
export interface Slicer {
  /** Call often; returns null (do not await) until 8 ms have passed since the last pause. */
  pause(): Promise<void> | null;
}

/** A slicer whose first slice begins now. */
export function createSlicer(): Slicer {
  let started = performance.now();
  return {
    pause() {
      if (performance.now() - started < SLICE_MS) return null;
      return setImmediate().then(() => {
        started = performance.now();
      });
    },
  };
}
