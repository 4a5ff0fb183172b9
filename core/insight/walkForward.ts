import { expectedInput, holds, LEAST_REQUESTS } from '../tokens/calibrated.ts';
import { type CountedRequest, calibrate } from './calibration.ts';

/** How well each request is predicted by the line through those before it. */
export interface WalkForward {
  /** Distances from what was recorded, as shares of it, in order; of requests whose line before them holds. */
  readonly errors: readonly number[];
  /** Requests from the ninth on that had no line to be predicted by, or one that does not hold. */
  readonly unpredicted: number;
}

/** Predicts each request of one model from those before it, and from nothing else. Quadratic: for tables and tests. */
export function walkForward(requests: readonly CountedRequest[]): WalkForward {
  const errors: number[] = [];
  let unpredicted = 0;
  for (let i = LEAST_REQUESTS; i < requests.length; i++) {
    const { history, input } = requests[i] ?? { history: 0, input: 1 };
    const line = calibrate(null, requests.slice(0, i));
    if (holds(line)) errors.push(Math.abs(expectedInput(line, history) - input) / input);
    else unpredicted++;
  }
  return { errors, unpredicted };
}
