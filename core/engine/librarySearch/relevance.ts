// Ranking costs a look at every message that has a word, for each word. So only rare words are ranked by: common ones
// say little anyway.

import { ftsExpression } from '../../search/ftsExpression.ts';
import type { Expr, Query, Term } from '../../search/types.ts';
import type { SearchHit, SearchQueries } from '../../store/search/searchQueries.ts';

/** Words in more contents than this say little about any of them, and would take long to rank. */
const RANKED_MAX = 20_000;

/** A single phrase: to find it again for ranking would take as long as finding it, so it is done at once. */
export function isRankedAtOnce(expr: Expr): boolean {
  return expr.kind === 'words' && expr.words.length > 1;
}

/**
 * The order by relevance: transcripts by their best hit, and hits within, by BM25 over the query's rarer words. Null if
 * it has none: filters alone, or words that stand nearly everywhere.
 */
export function relevanceOrder(
  queries: SearchQueries,
  query: Query,
  hits: readonly SearchHit[],
): ((a: SearchHit, b: SearchHit) => number) | null {
  if (isRankedAtOnce(query.expr)) return byRank(hits, ({ rank = 0 }) => rank);
  if (query.expr.kind === 'words' && query.expr.prefix) return byRanks(hits, queries.ranks(ftsExpression(query.expr)));
  const rare = wordsOf(query.terms).filter((word) => queries.count(word, RANKED_MAX + 1) <= RANKED_MAX);
  if (rare.length === 0) return null;
  return byRanks(hits, queries.ranks(rare.join(' OR ')));
}

function byRanks(hits: readonly SearchHit[], ranks: ReadonlyMap<number, number>) {
  return byRank(hits, ({ content }) => ranks.get(content) ?? 0);
}

/** The terms' words, each by itself; beginnings are left out. */
function wordsOf(terms: readonly Term[]): readonly string[] {
  const words = terms.flatMap(({ words, prefix }) => (prefix ? words.slice(0, -1) : words));
  return [...new Set(words)].map((word) => ftsExpression({ kind: 'words', words: [word], prefix: false }));
}

function byRank(
  hits: readonly SearchHit[],
  rankOf: (hit: SearchHit) => number,
): (a: SearchHit, b: SearchHit) => number {
  const best = new Map<number, number>();
  for (const hit of hits) best.set(hit.transcript, Math.min(best.get(hit.transcript) ?? 0, rankOf(hit)));
  const bestOf = ({ transcript }: SearchHit) => best.get(transcript) ?? 0;
  return (a, b) => bestOf(a) - bestOf(b) || b.transcript - a.transcript || rankOf(a) - rankOf(b) || a.idx - b.idx;
}
