import type { TranscriptRow } from '../../store/types.ts';

/**
 * The model a transcript is counted and budgeted for: the last recorded that is one (`<synthetic>` is none). That of a
 * bundle is the one it states: the transcript it was made of may have gone on with another.
 */
export function modelOf(row: Pick<TranscriptRow, 'models' | 'meta'>): string | null {
  const named = (models: readonly string[]) => models.findLast((model) => !model.startsWith('<'));
  return row.meta.bundle?.transcript.model ?? named(row.models) ?? named(row.meta.models ?? []) ?? null;
}
