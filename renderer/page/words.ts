import type { ScrubReport } from '../../core/model/scrubReport.ts';
import { formatCount } from '../ui/format.ts';

/** What was done about secrets and personal data, in a few words. */
export function scrubbedWords({ scrubbed, findings }: ScrubReport): string {
  if (!scrubbed) return 'not scrubbed';
  const masked = findings.reduce((sum, { masked }) => sum + masked, 0);
  const found = findings.reduce((sum, { count }) => sum + count, 0);
  if (found === 0) return 'nothing to mask';
  const kept = found - masked;
  return kept === 0 ? `${formatCount(masked)} masked` : `${formatCount(masked)} masked, ${formatCount(kept)} kept`;
}

/** How many places were found, and which of them is shown. */
export function describeHits(total: number, shown: number | null): string {
  if (total === 0) return 'Nothing found';
  return shown === null ? `${formatCount(total)} found` : `${formatCount(shown + 1)} of ${formatCount(total)}`;
}
