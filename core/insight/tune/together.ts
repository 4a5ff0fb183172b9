// Several specs along the call points of one session at once. The oracle is followCallPoints for each spec by itself.
import { type CallPointsRun, followSpecs, type ReachedPoint, type SpecsInput } from '../../projection/allCallPoints.ts';

/** A spec that has reached a call point; what it shows stays valid until the walk continues. */
export interface ReachedBySpec {
  /** Its position in `specs`. */
  readonly spec: number;
  readonly point: ReachedPoint;
}

/** Moves all specs along the call points: yields each spec at each call point, call point by call point, and pauses. */
export function followTogether(input: SpecsInput): CallPointsRun<ReachedBySpec> {
  return followSpecs(input, (point, spec) => ({ spec, point }));
}
