import { useEffect, useMemo, useState } from 'react';
import type { LibraryHit, PlacePresence } from '../../core/protocol/types.ts';
import { useApp, useAppState } from '../state/context.tsx';
import { useProjectedSpec } from '../state/useProjectedSpec.ts';

/** Hits by `keyOfHit`. */
export type Presences = ReadonlyMap<string, PlacePresence>;

const NONE: Presences = new Map();
const WAIT_MS = 150;
/** The engine takes so many places at once. */
const MOST = 200;

/** A place within the open transcript. */
export function keyOfHit({ index, part }: Pick<LibraryHit, 'index' | 'part'>): string {
  return `${index}.${part}`;
}

/** What of a hit is looked for in the request: the words that were found, if they are one stretch; null: all of the part. */
export function hitText({ snippet }: Pick<LibraryHit, 'snippet'>): string | null {
  const [first, ...others] = snippet.marks;
  if (first === undefined) return null;
  const text = snippet.text.slice(first.start, first.end);
  const isSame = others.every(({ start, end }) => snippet.text.slice(start, end).toLowerCase() === text.toLowerCase());
  return isSame ? text : null;
}

/**
 * Of the hits in the open transcript, whether their words are in the request on screen. Hits elsewhere have no mark: which
 * policy and call point they would be shown with is not known before they are opened.
 */
export function useHitPresence(hits: readonly LibraryHit[]): Presences {
  const { engine } = useApp();
  const id = useAppState((state) => state.session.id);
  const at = useAppState((state) => state.projection.info?.at ?? null);
  const spec = useProjectedSpec();
  const query = useAppState((state) => state.search.query);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another question, other marks; the next page of hits adds to them
  const scope = useMemo(() => ({}), [id, at, spec, query]);
  const [known, setKnown] = useState<{ readonly of: unknown; readonly presences: Presences }>({
    of: null,
    presences: NONE,
  });
  useEffect(() => {
    const own = hits.filter((hit) => hit.transcriptId === id).slice(0, MOST);
    if (id === null || spec === null || own.length === 0) return;
    let isWanted = true;
    const found = new Map<string, PlacePresence>();
    const ask = async () => {
      for (const [text, group] of byText(own)) {
        const places = group.map(({ index, part }) => ({ index, part }));
        const asked = { id, spec, at, places, ...(text === '' ? {} : { text }) };
        const { presence } = await engine.call('trace.present', asked);
        if (!isWanted) return;
        for (const [number, hit] of group.entries()) {
          const one = presence[number];
          if (one !== undefined) found.set(keyOfHit(hit), one);
        }
        setKnown((old) => ({
          of: scope,
          presences: new Map([...(old.of === scope ? old.presences : NONE), ...found]),
        }));
      }
    };
    // A mark that could not be found out is left blank: the hit itself stands.
    const timer = setTimeout(() => void ask().catch(() => undefined), WAIT_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [engine, hits, id, at, spec, scope]);
  return known.of === scope ? known.presences : NONE;
}

/** Hits with the same words together; without words of their own under ''. */
function byText(hits: readonly LibraryHit[]): ReadonlyMap<string, readonly LibraryHit[]> {
  return Map.groupBy(hits, (hit) => hitText(hit)?.toLowerCase() ?? '');
}
