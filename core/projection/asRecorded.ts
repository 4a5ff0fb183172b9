import type { TranscriptSource } from '../model/transcript.ts';
import { givesRecorded } from './sent.ts';
import { STAGES } from './stages.ts';
import type { ProjectionSpec } from './types.ts';

/** What of a transcript says which history it records. */
export type RecordedIn = Pick<TranscriptSource, 'compactions' | 'projections'>;

/** True if the policy gives the history that the transcript records, by the stages that the program knows. */
export function isAsRecorded(spec: ProjectionSpec, source: RecordedIn): boolean {
  const hasCompactions = source.compactions().length > 0;
  const hasProjections = (source.projections?.() ?? []).length > 0;
  return givesRecorded(spec, { hasCompactions, hasProjections, traitsOf: STAGES.traitsOf });
}
