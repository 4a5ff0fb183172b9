import type { Provenance, SessionCost } from '../../core/protocol/types.ts';
import { coverWords, sessionCover } from '../../core/view/costCover.ts';
import { figureSign, formatCost, formatCount, plural } from '../ui/format.ts';

/**
 * `$18.42 as recorded · ≈$16.90 under NAME (input and output)`: what was recorded and what is computed side by side, never in one sum. `under` =
 * empty for the recorded history. Null = nothing can be said.
 */
export function describeMoney(cost: SessionCost | null, provenance: Provenance, under: string): string | null {
  if (cost === null || cost.policy === null) return null;
  const sign = figureSign(provenance) || '≈';
  const own = `${sign}${formatCost(cost.policy)} ${under === '' ? 'by the cache’s rules' : under}`;
  const covers = coverWords(sessionCover(cost));
  if (cost.recorded === null) return `${own} (${covers})`;
  const all = cost.recordedRequests + cost.unpriced === cost.requests;
  const of = all ? '' : ` (${formatCount(cost.recordedRequests)} of ${plural(cost.requests, 'request')})`;
  return `${formatCost(cost.recorded)} as recorded${of} · ${own} (${covers})`;
}
