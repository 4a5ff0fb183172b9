import type { LibraryHit } from '../../core/protocol/types.ts';
import { parseQuery } from '../../core/search/parseQuery.ts';
import { type Core, debounce, patch, soon } from './core.ts';
import { toProtocolError } from './engine.ts';
import { NO_RESULTS } from './initial.ts';
import type { OpenAt } from './libraryActions.ts';
import type { SearchState } from './types.ts';

export interface SearchActions {
  openSearch(): void;
  setSearchQuery(query: string): void;
  setSearchSort(sort: SearchState['sort']): void;
  /** Fetches the next page of hits. */
  moreHits(): Promise<void>;
  selectHit(number: number): void;
  /** Opens the transcript of a hit and lands on its row. */
  openHit(number: number): Promise<void>;
  /** Goes to the next or the previous hit of the search. */
  stepHit(delta: 1 | -1): Promise<void>;
  /** Takes the marks away and forgets where in the hits one was. */
  endSearch(): void;
  /** The library has changed: what is on screen of a search is asked for again. */
  refreshSearch(): void;
}

/** What a search needs of the other actions. */
export interface SearchNeeds {
  open(id: string, where: OpenAt): Promise<void>;
  goToMessage(index: number, part: number): Promise<void>;
  showAll(): void;
}

const PAGE = 50;
const PAGE_MAX = 200;
const WAIT_MS = 120;
const AGAIN_MS = 700;

export function searchActions(core: Core, needs: SearchNeeds): SearchActions {
  const get = () => core.store.getState().search;
  const set = (change: Partial<SearchState>) =>
    core.store.setState((state) => ({ search: { ...state.search, ...change } }));
  let asked = 0;

  const ask = async (cursor: string | null, limit: number) => {
    const turn = ++asked;
    const { query, sort } = get();
    set({ isLoading: true, error: null });
    try {
      const found = await core.engine.call('library.search', { query, sort, cursor, limit });
      if (turn !== asked) return;
      const before = cursor === null ? NO_RESULTS : get();
      const groups = Object.fromEntries(found.groups.map((group) => [group.transcriptId, group]));
      set({
        isLoading: false,
        hits: [...before.hits, ...found.hits],
        groups: { ...before.groups, ...groups },
        result: found,
      });
      if (found.coverage.indexed < found.coverage.total) askAgainSoon();
    } catch (thrown) {
      const error = toProtocolError(thrown);
      if (turn === asked && error.code !== 'request.superseded') set({ isLoading: false, error });
    }
  };

  const fresh = debounce(() => {
    if (get().query.trim() === '') return;
    void ask(null, PAGE);
  }, WAIT_MS);

  /** Asks again for as much as is shown, and stays at the same hit. */
  const again = async () => {
    const { hits, selected, query } = get();
    if (query.trim() === '') return;
    const before = hits[selected];
    await ask(null, Math.min(PAGE_MAX, Math.max(PAGE, hits.length)));
    const now = get().hits.findIndex((hit) => before !== undefined && isSame(hit, before));
    set({ selected: Math.max(0, now) });
  };

  /** What is imported becomes searchable while somebody looks on. */
  const askAgainSoon = soon(() => {
    if (core.store.getState().ui.dialog === 'search' && !get().isLoading) void again();
  }, AGAIN_MS);

  const openHit = async (number: number) => {
    const hit = get().hits[number];
    if (hit === undefined) return;
    set({ selected: number, isStepping: true });
    needs.showAll();
    const { session } = core.store.getState();
    if (session.id === hit.transcriptId) await needs.goToMessage(hit.index, hit.part);
    else
      await needs.open(hit.transcriptId, {
        at: null,
        selection: { kind: 'message', index: hit.index, part: hit.part },
      });
  };

  const actions: SearchActions = {
    openSearch: () => patch(core, 'ui', { dialog: 'search' }),
    setSearchQuery(query) {
      asked++;
      const { terms } = parseQuery(query, { time: Date.now(), zoneMinutes: 0 });
      const isEmpty = query.trim() === '';
      set({
        query,
        terms,
        selected: 0,
        isLoading: !isEmpty,
        error: null,
        ...(isEmpty ? NO_RESULTS : { result: null }),
      });
      fresh();
    },
    setSearchSort(sort) {
      set({ sort, selected: 0, result: null });
      if (get().query.trim() !== '') void ask(null, PAGE);
    },
    async moreHits() {
      const { result, isLoading } = get();
      if (!isLoading && result !== null && result.cursor !== null) await ask(result.cursor, PAGE);
    },
    selectHit: (selected) => set({ selected }),
    openHit,
    async stepHit(delta) {
      const { selected, isStepping, hits, result } = get();
      const next = isStepping ? selected + delta : selected;
      if (next >= hits.length && result?.cursor) await actions.moreHits();
      if (next >= 0 && next < get().hits.length) await openHit(next);
    },
    endSearch: () => set({ isStepping: false }),
    refreshSearch: askAgainSoon,
  };
  return actions;
}

function isSame(a: LibraryHit, b: LibraryHit): boolean {
  return a.transcriptId === b.transcriptId && a.index === b.index;
}
