import { SearchAlert } from 'lucide-react';
import { findingCount } from '../../core/library/query.ts';
import type { TranscriptSummary } from '../../core/protocol/types.ts';
import { titleOfKind } from '../ui/findingWords.ts';
import { plural } from '../ui/format.ts';

/** How many findings a transcript has, the dearest kind in its name; nothing where there are none, or it is not known yet. */
export function FindingBadge({ transcript }: { readonly transcript: TranscriptSummary }) {
  const count = findingCount(transcript);
  const dearest = transcript.survey?.findings[0];
  if (count === null || count === 0 || dearest === undefined) return null;
  const name = `${plural(count, 'finding')}, dearest: ${titleOfKind(dearest.kind)}`;
  return (
    <span className="finding-badge num" role="img" aria-label={name} title={name} data-testid="finding-badge">
      <SearchAlert size={11} aria-hidden /> {count}
    </span>
  );
}
