import type { ProjectionInfo } from '../../core/protocol/types.ts';
import { describeSaved as savedWords } from '../../core/view/savedWords.ts';

/** `−16,529 tok`, `+120 tok`: what stage `at` does to the tokens of the request; null = nothing, or not known of this stage. */
export function describeSaved(info: ProjectionInfo | null, at: number, kind: string): string | null {
  // Between an edit of the list and the answer a figure may be another stage's.
  if (info?.spec.stages[at]?.kind !== kind) return null;
  return savedWords(info.savedTokens[at]);
}
