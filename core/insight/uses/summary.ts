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
  const firstGone = uses.find(({ outcome, changed }) => outcome === 'gone' && !changed)?.at ?? null;
  return { uses: uses.length, ...counts, tokensFetchedAgain, costFetchedAgain, firstGone };
}
