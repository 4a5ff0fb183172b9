import type { TranscriptRow } from '../store/types.ts';

/** The model a transcript is counted and budgeted for: the last recorded that is one (`<synthetic>` is none). */
export function modelOf(row: Pick<TranscriptRow, 'models' | 'meta'>): string | null {
  const named = (models: readonly string[]) => models.findLast((model) => !model.startsWith('<'));
  return named(row.models) ?? named(row.meta.models ?? []) ?? null;
}
