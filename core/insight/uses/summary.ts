// browser-safe
import type { Use, UsesSummary } from './types.ts';

/** What uses come to. */
export function summaryOf(uses: readonly Use[]): UsesSummary {
  const counts = { original: 0, elsewhere: 0, gone: 0 };
  let tokensFetchedAgain = 0;
  let costFetchedAgain: number | null = 0;
  for (const { outcome, changed, tokens, cost } of uses) {
    counts[outcome]++;
    if (outcome !== 'gone' || changed) continue;
    tokensFetchedAgain += tokens;
    costFetchedAgain = costFetchedAgain !== null && cost !== null ? costFetchedAgain + cost : null;
  }
  const firstGone = uses.find(wasMissing)?.at ?? null;
  return { uses: uses.length, ...counts, tokensFetchedAgain, costFetchedAgain, firstGone };
}

/** True if what was used was not in the request, as far as is certain or probable; a changed result proves nothing. */
export function wasMissing({ outcome, changed, confidence }: Pick<Use, 'outcome' | 'changed' | 'confidence'>): boolean {
  return outcome === 'gone' && !changed && confidence !== 'suspect';
}
