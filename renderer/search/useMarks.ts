import { useMemo } from 'react';
import { findMarks, mergeMarks } from '../../core/search/marks.ts';
import { useAppState } from '../state/context.tsx';

/** Where the words of the search under way are in a text of the open transcript; none while nothing is searched. */
export function useMarks(text: string): readonly { readonly start: number; readonly end: number }[] {
  const terms = useAppState((state) => (state.search.isStepping ? state.search.terms : NO_TERMS));
  return useMemo(() => (terms.length === 0 ? NO_MARKS : mergeMarks(findMarks(text, terms))), [text, terms]);
}

const NO_TERMS: readonly never[] = [];
const NO_MARKS: readonly never[] = [];
