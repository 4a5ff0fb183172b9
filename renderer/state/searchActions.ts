import type { LibraryHit, LibrarySearch } from '../../core/protocol/types.ts';
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
  /** Removes the marks and forgets where in the hits one was. */
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
      take(found, cursor === null ? NO_RESULTS : get());
    } catch (thrown) {
      const error = toProtocolError(thrown);
      if (turn === asked && error.code !== 'request.superseded') set({ isLoading: false, error });
    }
  };

  const take = (found: LibrarySearch, before: Pick<SearchState, 'hits' | 'groups'>) => {
    const groups = Object.fromEntries(found.groups.map((group) => [group.transcriptId, group]));
    set({
      isLoading: false,
      error: null,
      hits: [...before.hits, ...found.hits],
      groups: { ...before.groups, ...groups },
      result: found,
    });
    if (found.coverage.indexed < found.coverage.total) askAgainSoon();
  };

  const fresh = debounce(() => {
    if (get().query.trim() === '') return;
    void ask(null, PAGE);
  }, WAIT_MS);

  /** The first `wanted` hits, by pages; null = something else was asked for meanwhile. */
  const fetchAll = async (wanted: number): Promise<LibrarySearch | null> => {
    const turn = ++asked;
    const { query, sort } = get();
    let all: LibrarySearch | null = null;
    for (;;) {
      const limit = Math.min(PAGE_MAX, wanted - (all?.hits.length ?? 0));
      const question = { query, sort, cursor: all?.cursor ?? null, limit };
      const page: LibrarySearch = await core.engine.call('library.search', question);
      if (turn !== asked) return null;
      const before: LibrarySearch = all ?? { ...page, hits: [], groups: [] };
      all = { ...page, hits: [...before.hits, ...page.hits], groups: [...before.groups, ...page.groups] };
      if (all.cursor === null || page.hits.length === 0 || all.hits.length >= wanted) return all;
    }
  };

  /** Asks again for as much as is shown, and stays at the hit that is selected when the answer is here. */
  const again = async () => {
    const { hits, query } = get();
    if (query.trim() === '') return;
    try {
      const found = await fetchAll(Math.max(PAGE, hits.length));
      if (found === null) return;
      const { hits: before, selected } = get();
      const here = before[selected];
      const now = found.hits.findIndex((hit) => here !== undefined && isSame(hit, here));
      take(found, NO_RESULTS);
      set({ selected: now < 0 ? Math.max(0, Math.min(selected, found.hits.length - 1)) : now });
    } catch (thrown) {
      // What is shown stays; a search that somebody waits for says by itself if it fails.
      const error = toProtocolError(thrown);
      if (error.code !== 'request.superseded' && !get().isLoading) set({ error });
    }
  };

  /** What is imported becomes searchable while somebody looks on. */
  const askAgainSoon = soon(() => {
    if (core.store.getState().ui.dialog?.kind === 'search' && !get().isLoading) void again();
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
    openSearch: () => patch(core, 'ui', { dialog: { kind: 'search' } }),
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
      const { selected, isStepping, hits, result, query, sort } = get();
      const next = isStepping ? selected + delta : selected;
      if (next >= hits.length && result?.cursor) await actions.moreHits();
      const now = get();
      const isSameList = now.query === query && now.sort === sort;
      const isStillThere = now.selected === selected && now.isStepping === isStepping;
      if (isSameList && isStillThere && next >= 0 && next < now.hits.length) await openHit(next);
    },
    endSearch: () => set({ isStepping: false }),
    refreshSearch: askAgainSoon,
  };
  return actions;
}

function isSame(a: LibraryHit, b: LibraryHit): boolean {
  return a.transcriptId === b.transcriptId && a.index === b.index;
}
