import type { Params } from '../../protocol/methods.ts';
import type { SearchRun } from './run.ts';

const KEPT = 4;
const CURSOR = /^(\d+)\.(\d+)$/;

type SearchParams = Params<'library.search'>;

interface Kept {
  readonly id: number;
  readonly clientId: number;
  readonly run: SearchRun;
  readonly query: string;
  readonly sort: string;
}

/** The last searches, so that the next page of one continues where the last ended. */
export class RecentRuns {
  #kept: Kept[] = [];
  #next = 1;

  /** Where a cursor leads: a search at hand, or (too many others since) only the place: it has to be run again. */
  continued({ query, sort, cursor }: SearchParams, clientId: number): { run: SearchRun | null; from: number } | null {
    const [, id, from] = CURSOR.exec(cursor ?? '') ?? [];
    if (id === undefined || from === undefined) return null;
    const kept = this.#kept.find((one) => one.id === Number(id) && one.clientId === clientId);
    const fits = kept !== undefined && kept.query === query && kept.sort === sort;
    return { run: fits ? kept.run : null, from: Number(from) };
  }

  /** The cursor of the next page; null if there is none. */
  cursor(run: SearchRun, { query, sort }: SearchParams, clientId: number, from: number): string | null {
    if (run.complete && from >= run.hits.length) return null;
    const known = this.#kept.find((one) => one.run === run);
    const kept = known ?? { id: this.#next++, clientId, run, query, sort };
    this.#kept = [kept, ...this.#kept.filter((one) => one !== kept)].slice(0, KEPT);
    return `${kept.id}.${from}`;
  }
}
