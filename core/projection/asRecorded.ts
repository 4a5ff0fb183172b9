import { givesRecorded } from './sent.ts';
import { STAGES } from './stages.ts';
import type { ProjectionSpec } from './types.ts';

/** True if the policy gives the history that the transcript records, by the stages that the program knows. */
export function isAsRecorded(spec: ProjectionSpec, hasCompactions: boolean, hasProjections = false): boolean {
  return givesRecorded(spec, { hasCompactions, hasProjections, traitsOf: STAGES.traitsOf });
}
