import { useMemo, useState } from 'react';
import { countFacets, type FacetCounts, matchFacets } from '../../core/library/filter.ts';
import type { FoundBy } from '../../core/library/matchText.ts';
import { distinguish, groupTranscripts, type LibraryGroup, sortTranscripts } from '../../core/library/order.ts';
import { isNarrowed } from '../../core/library/query.ts';
import type { TranscriptSummary } from '../../core/protocol/types.ts';
import { useAppState } from '../state/context.tsx';
import { dayTime } from '../ui/time.ts';
import { clockNow } from './clockNow.ts';
import { type Nested, nestedOf } from './nested.ts';
import { useFilterLanguage } from './useFilterLanguage.ts';

/** The list as it is asked for. */
export interface LibraryList {
  /** All that filter and facets let through, sorted; `sessions` of it without what stands under others. */
  readonly shown: readonly TranscriptSummary[];
  readonly groups: readonly LibraryGroup[];
  readonly under: Nested['under'];
  readonly counts: FacetCounts;
  /** What distinguishes transcripts of one title, by id. */
  readonly apart: ReadonlyMap<string, string>;
  /** A filter or a facet hides some. */
  readonly isNarrowed: boolean;
  readonly titleOf: (id: string) => string | null;
}

/** The library filtered, sorted and grouped. */
export function useLibraryList(): LibraryList {
  const transcripts = useAppState((state) => state.library.transcripts);
  const filter = useAppState((state) => state.library.filter);
  const facets = useAppState((state) => state.library.facets);
  const { sort, descending, group } = useAppState((state) => state.library.view);
  const [texts] = useState<FoundBy>(() => new WeakMap());
  const isFiltered = filter.trim() !== '';
  const language = useFilterLanguage(isFiltered);
  const found = useMemo(() => {
    const all = transcripts ?? [];
    return isFiltered && language !== null ? language.matchText(all, filter, texts, clockNow()) : all;
  }, [transcripts, filter, isFiltered, texts, language]);
  const counts = useMemo(() => countFacets(found, facets), [found, facets]);
  const apart = useMemo(() => distinguish(transcripts ?? [], dayTime), [transcripts]);
  const titleOf = useMemo(() => {
    const titles = new Map((transcripts ?? []).map(({ id, title }) => [id, title]));
    return (id: string) => titles.get(id) ?? null;
  }, [transcripts]);
  const sorted = useMemo(
    () => sortTranscripts(matchFacets(found, facets), { sort, descending }),
    [found, facets, sort, descending],
  );
  return useMemo(() => {
    const { sessions, under } = nestedOf(sorted);
    return {
      shown: sorted,
      groups: groupTranscripts(sessions, group),
      under,
      counts,
      apart,
      isNarrowed: filter.trim() !== '' || isNarrowed(facets),
      titleOf,
    };
  }, [sorted, group, counts, apart, filter, facets, titleOf]);
}
