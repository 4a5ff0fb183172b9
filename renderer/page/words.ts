import { doneWords, type ScrubReport } from '../../core/model/scrubReport.ts';
import { formatCount } from '../ui/format.ts';

/** What was done about secrets and personal data, in a few words. */
export function scrubbedWords({ scrubbed, findings }: ScrubReport): string {
  if (!scrubbed) return 'not scrubbed';
  return findings.length === 0 ? 'nothing to mask' : doneWords(findings);
}

/** How many places were found, and which of them is shown. */
export function describeHits(total: number, shown: number | null): string {
  if (total === 0) return 'Nothing found';
  return shown === null ? `${formatCount(total)} found` : `${formatCount(shown + 1)} of ${formatCount(total)}`;
}
