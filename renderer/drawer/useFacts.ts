import { useEffect, useState } from 'react';
import type { TranscriptFacts } from '../../core/protocol/types.ts';
import { useApp, useAppState } from '../state/context.tsx';
import { toProtocolError } from '../state/engine.ts';

/** What the open transcript records of itself as a whole; null = not read yet. */
export function useFacts() {
  const { engine } = useApp();
  const id = useAppState((state) => state.session.id);
  const events = useAppState((state) => state.session.info?.events ?? 0);
  const [facts, setFacts] = useState<TranscriptFacts | null>(null);
  const [error, setError] = useState<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: events that came may say more
  useEffect(() => {
    let isWanted = true;
    if (id === null) return;
    engine.call('transcript.facts', { id }).then(
      (found) => isWanted && setFacts(found),
      (thrown: unknown) => isWanted && setError(toProtocolError(thrown).message),
    );
    return () => {
      isWanted = false;
    };
  }, [engine, id, events]);
  return { facts, error };
}
