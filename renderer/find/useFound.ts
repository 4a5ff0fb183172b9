import { useMemo } from 'react';
import { textPattern } from '../../core/insight/text/pattern.ts';
import type { RawTextPlace, TextTrace } from '../../core/protocol/types.ts';
import { useAppState } from '../state/context.tsx';
import { marksOf, type Stretch } from './textMarks.ts';

const NO_MARKS: readonly Stretch[] = [];

/** Where the text of the find bar stands in a text on screen; none while the bar is closed. */
export function useFindMarks(text: string): readonly Stretch[] {
  const find = useAppState((state) => (state.find.isOpen ? state.find : null));
  const wanted = find?.text ?? '';
  const matchCase = find?.matchCase ?? false;
  const wholeWord = find?.wholeWord ?? false;
  return useMemo(() => {
    const pattern = textPattern(wanted, { matchCase, wholeWord });
    return pattern === null ? NO_MARKS : marksOf(text, pattern);
  }, [text, wanted, matchCase, wholeWord]);
}

/** The place of the text in a part: the one that was chosen, else its first; null if it has none, or the bar is closed. */
export function useFindPlace(index: number, part: number): RawTextPlace | null {
  return useAppState(({ find: { isOpen, trace, chosen } }) => {
    if (!isOpen || trace === null) return null;
    const here = chosen === null ? undefined : trace.places[chosen];
    if (here?.where === 'message' && here.index === index && here.part === part) return here;
    return placesOf(trace).get(`${index}.${part}`) ?? null;
  });
}

const byPart = new WeakMap<TextTrace, ReadonlyMap<string, RawTextPlace>>();

/** The first place in each part, by index and part. */
function placesOf(trace: TextTrace): ReadonlyMap<string, RawTextPlace> {
  const known = byPart.get(trace);
  if (known !== undefined) return known;
  const found = new Map<string, RawTextPlace>();
  for (const place of trace.places) {
    const key = `${place.index}.${place.part}`;
    if (place.where === 'message' && !found.has(key)) found.set(key, place);
  }
  byPart.set(trace, found);
  return found;
}
