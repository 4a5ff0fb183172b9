import type { ProjectionInfo } from '../../core/protocol/types.ts';
import { formatShort } from '../ui/format.ts';

/** `−52k`, `− ~52k`, `+120`: what stage `at` does to the tokens of the request; null = nothing, or not known of this stage. */
export function savedWords(info: ProjectionInfo | null, at: number, kind: string): string | null {
  // Between an edit of the list and the answer a figure may be another stage's.
  if (info?.spec.stages[at]?.kind !== kind) return null;
  const saved = info.savedTokens[at] ?? 0;
  if (saved === 0) return null;
  // With a thin space: side by side the two signs look like one.
  const about = info.projected.provenance === 'estimated' ? '\u2009~' : '';
  return `${saved > 0 ? '−' : '+'}${about}${formatShort(Math.abs(saved))}`;
}
