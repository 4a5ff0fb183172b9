import { useMemo } from 'react';
import type { RawTextPlace, Row, TextTrace } from '../../core/protocol/types.ts';
import { textPattern } from '../../core/util/textPattern.ts';
import { useAppState } from '../state/context.tsx';
import { marksOf, type Stretch } from './textMarks.ts';

const NO_MARKS: readonly Stretch[] = [];

/** Where the text of the find bar is in a text on screen; none while the bar is closed. */
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

/**
 * The place of the text in a row's part: the one that was chosen, else its first; of a message that is sent in another
 * one's row, its place there. null if it has none, or the bar is closed.
 */
export function useFindPlace({
  key,
  kind,
  index,
  part,
}: Pick<Row, 'key' | 'kind' | 'index' | 'part'>): RawTextPlace | null {
  return useAppState(({ find: { isOpen, trace, chosen } }) => {
    if (!isOpen || trace === null) return null;
    if (kind === 'synthetic') return movedPlace(trace, key);
    if (kind !== 'part') return null;
    const here = chosen === null ? undefined : trace.places[chosen];
    if (here?.where === 'message' && here.index === index && here.part === part) return here;
    return placesOf(trace).get(`${index}.${part}`) ?? null;
  });
}

/** A message's place in the request's synthetic message of a row (`s0`, `s1` …), into which it was moved. */
function movedPlace(trace: TextTrace, key: string): RawTextPlace | null {
  const place = trace.now.places.find(({ synthetic }) => synthetic !== null && key === `s${synthetic}`);
  const moved = /^(?:summary )?#(\d+)$/.exec(place?.label ?? '')?.[1];
  if (moved === undefined) return null;
  return trace.places.find(({ where, index }) => where === 'message' && index === Number(moved)) ?? null;
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
