// One search over the library: the hits in the order they are shown, found no further than somebody looks.
//
// Up to 10,000 messages are found at once and put in order in memory. Where more match, only an order that needs no look
// at all of them is quick: transcript by transcript, the newest first, each searched when the list reaches it.

import { ftsExpression } from '../../search/ftsExpression.ts';
import type { Query } from '../../search/types.ts';
import type { SearchMark } from '../../store/search/searchMarks.ts';
import type { SearchHit, SearchQueries } from '../../store/search/searchQueries.ts';
import type { Slicer } from '../slicer.ts';
import { isRankedAtOnce, relevanceOrder } from './relevance.ts';
import { allowsMessage, needTitles, type Selected, selectTranscripts } from './scopes.ts';

/** Hits are counted and listed up to here. */
export const HITS_MAX = 10_000;
/** How long a search that fills its page keeps counting. */
const COUNT_MS = 40;

export type SearchSort = 'relevance' | 'time';

/** A search under way. */
export class SearchRun {
  readonly query: Query;
  /** The order the hits are in, which may not be the one asked for. */
  readonly sort: SearchSort;
  readonly hits: SearchHit[] = [];
  /** Hits by transcript. Exact for all transcripts but the last while there is more to be found. */
  readonly counts = new Map<number, number>();
  readonly #queries: SearchQueries;
  readonly #selected: ReadonlyMap<number, Selected>;
  readonly #match: string;
  /** Transcripts not searched yet; null where everything was found at once. */
  #rest: Selected[] | null = null;
  readonly #atLeast: number;

  constructor(queries: SearchQueries, query: Query, sort: SearchSort) {
    this.query = query;
    this.#queries = queries;
    this.#match = ftsExpression(query.expr);
    const titles = needTitles(query.scopes) ? queries.titles() : [];
    const byId = new Map(titles.map((title) => [title.id, title]));
    const selected = newestFirst(selectTranscripts(queries.transcripts(), byId, query.scopes));
    this.#selected = new Map(selected.map((one) => [one.transcript.id, one]));
    const isRanked = sort === 'relevance' && isRankedAtOnce(query.expr);
    const found = selected.length === 0 ? [] : this.#find(isRanked);
    if (found.length > HITS_MAX) {
      this.sort = 'time';
      this.#rest = selected;
      this.#atLeast = query.scopes.length === 0 ? HITS_MAX : 0;
      return;
    }
    const order = sort === 'relevance' ? relevanceOrder(queries, query, found) : null;
    this.sort = order === null ? 'time' : 'relevance';
    this.#atLeast = 0;
    this.#take(this.#allowed(found).sort(order ?? this.#byTime([...this.#selected.keys()])));
  }

  /** Transcripts that the scopes leave. */
  get transcripts(): number {
    return this.#selected.size;
  }

  get complete(): boolean {
    return this.#rest === null || this.#rest.length === 0;
  }

  /** Hits known of, and whether these are all. */
  get total(): { readonly hits: number; readonly exact: boolean } {
    return { hits: Math.max(this.hits.length, this.#atLeast), exact: this.complete && this.hits.length <= HITS_MAX };
  }

  /** The public id of a transcript. */
  uid(transcript: number): string {
    const selected = this.#selected.get(transcript);
    if (selected === undefined) throw new Error(`transcript ${transcript} is none of this search`);
    return selected.transcript.uid;
  }

  /** Whether a transcript's number of hits is exact. */
  isCounted(transcript: number): boolean {
    return this.counts.has(transcript) && (this.complete || this.hits.length < HITS_MAX);
  }

  /** Finds hits until there are `count`, or all. False: overtaken. */
  async ensure(count: number, slicer: Slicer, overtaken: () => boolean): Promise<boolean> {
    const started = performance.now();
    const rest = this.#rest ?? [];
    while (rest.length > 0 && this.hits.length < HITS_MAX) {
      const enough = this.hits.length >= count && (this.#atLeast > 0 || performance.now() - started > COUNT_MS);
      if (enough) return true;
      this.#search(rest.shift()!);
      const pause = slicer.pause();
      if (pause === null) continue;
      await pause;
      if (overtaken()) return false;
    }
    return true;
  }

  #find(ranked: boolean): readonly SearchHit[] {
    return ranked ? this.#queries.rankedHits(this.#match, HITS_MAX + 1) : this.#queries.hits(this.#match, HITS_MAX + 1);
  }

  #search({ transcript }: Selected): void {
    const { id } = transcript;
    this.#take(this.#allowed(this.#queries.hitsOf(this.#match, id, this.#queries.contentRuns(id))));
  }

  #take(hits: readonly SearchHit[]): void {
    for (const hit of hits) {
      this.hits.push(hit);
      this.counts.set(hit.transcript, (this.counts.get(hit.transcript) ?? 0) + 1);
    }
  }

  #allowed(hits: readonly SearchHit[]): SearchHit[] {
    const marks = new Map<number, (idx: number) => SearchMark>();
    return hits.filter(({ transcript, idx }) => {
      const selected = this.#selected.get(transcript);
      if (selected === undefined) return false;
      if (selected.open.length === 0) return true;
      const marksOf = marks.get(transcript) ?? this.#queries.marksOf(transcript);
      marks.set(transcript, marksOf);
      return allowsMessage(selected.open, marksOf(idx));
    });
  }

  #byTime(order: readonly number[]): (a: SearchHit, b: SearchHit) => number {
    const places = new Map(order.map((id, place) => [id, place]));
    return (a, b) => (places.get(a.transcript) ?? 0) - (places.get(b.transcript) ?? 0) || a.idx - b.idx;
  }
}

/** By their last recorded moment; where none was recorded, by their import. */
function newestFirst(selected: readonly Selected[]): Selected[] {
  const time = ({ transcript }: Selected) => transcript.endedAt ?? transcript.startedAt ?? transcript.importedAt;
  return [...selected].sort((a, b) => compare(time(b), time(a)) || b.transcript.id - a.transcript.id);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
