import { ftsExpression } from '../../search/ftsExpression.ts';
import type { Query } from '../../search/types.ts';
import type { SearchHit, SearchQueries } from '../../store/searchQueries.ts';

/** Words in more contents than this say little about any of them, and would take long to rank. */
const RANKED_MAX = 20_000;

/**
 * The order by relevance: transcripts by their best hit, and hits within, by BM25 over the query's rarer words. Null if
 * it has none: filters alone, or words that stand nearly everywhere.
 */
export function relevanceOrder(
  queries: SearchQueries,
  query: Query,
  hits: readonly SearchHit[],
): ((a: SearchHit, b: SearchHit) => number) | null {
  const rare = query.terms.filter((term) => queries.count(ftsExpression(term), RANKED_MAX + 1) <= RANKED_MAX);
  if (rare.length === 0) return null;
  const ranks = queries.ranks(rare.map((term) => `(${ftsExpression(term)})`).join(' OR '));
  const rankOf = ({ content }: SearchHit) => ranks.get(content) ?? 0;
  const best = new Map<number, number>();
  for (const hit of hits) best.set(hit.transcript, Math.min(best.get(hit.transcript) ?? 0, rankOf(hit)));
  const bestOf = ({ transcript }: SearchHit) => best.get(transcript) ?? 0;
  return (a, b) => bestOf(a) - bestOf(b) || b.transcript - a.transcript || rankOf(a) - rankOf(b) || a.idx - b.idx;
}
