import { useEffect, useState } from 'react';
import type { ProtocolError } from '../../core/protocol/methods.ts';
import type { TextHit } from '../../core/protocol/types.ts';
import { useApp, useAppState } from '../state/context.tsx';
import { toProtocolError } from '../state/engine.ts';

export interface SearchState {
  readonly hits: readonly TextHit[];
  readonly total: number;
  readonly isLoading: boolean;
  readonly error: ProtocolError | null;
}

const NO_HITS: readonly TextHit[] = [];
const NONE: SearchState = { hits: NO_HITS, total: 0, isLoading: false, error: null };
const LIMIT = 200;

/** Places of a text in the raw transcript, a little after the last key. They do not depend on the policy. */
export function useSearch(text: string): SearchState {
  const { engine, store } = useApp();
  const id = useAppState((state) => state.session.id);
  const isReady = useAppState((state) => state.projection.info !== null);
  const [shown, setShown] = useState(NONE);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another transcript is searched anew
  useEffect(() => {
    if (!isReady || text.trim() === '') {
      setShown(NONE);
      return;
    }
    let isWanted = true;
    setShown((old) => ({ ...old, isLoading: true, error: null }));
    const timer = setTimeout(() => {
      const projectionId = store.getState().projection.info?.projectionId;
      if (projectionId === undefined) return;
      engine.call('search.text', { projectionId, text, limit: LIMIT }).then(
        ({ hits, total }) => isWanted && setShown({ hits, total, isLoading: false, error: null }),
        (thrown: unknown) => isWanted && setShown({ ...NONE, error: toProtocolError(thrown) }),
      );
    }, 180);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [engine, store, id, isReady, text]);
  return shown;
}
