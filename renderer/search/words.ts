import type { LibrarySearch } from '../../core/protocol/types.ts';
import type { QueryProblem } from '../../core/search/types.ts';
import { formatCount, plural } from '../ui/format.ts';

type Totals = Pick<LibrarySearch, 'total' | 'exact' | 'transcripts' | 'sort' | 'ms'>;

/** How much was found: `1,204 messages in 31 transcripts`, `10,000+ messages`. */
export function describeFound({ total, exact, transcripts }: Totals): string {
  if (!exact) return `${formatCount(total)}+ messages`;
  return `${plural(total, 'message')} in ${plural(transcripts, 'transcript')}`;
}

/** Why the order is not the one that was asked for; null if it is. */
export function describeSort({ sort, exact }: Totals, wanted: LibrarySearch['sort']): string | null {
  if (sort === wanted) return null;
  return exact ? 'Nothing here to rank by: newest first' : 'Too many to rank: newest first';
}

/** What of the library cannot be found yet; null if all can. */
export function describeCoverage({ indexed, total, cut }: LibrarySearch['coverage']): string | null {
  if (indexed < total) {
    const share = Math.min(99, Math.floor((indexed / Math.max(1, total)) * 100));
    return `${share}% of the library is searchable so far (${formatCount(indexed)} of ${plural(total, 'message')}); indexing continues.`;
  }
  if (cut === 0) return null;
  return `Of ${plural(cut, 'very long message')} only the first 8 million characters can be found.`;
}

/** A filter whose value is still to be typed: what lacks is said, but nothing is wrong. */
export function isBegun(query: string, { from, to }: Pick<QueryProblem, 'from' | 'to'>): boolean {
  return to === query.length && query.slice(from, to).endsWith(':');
}
