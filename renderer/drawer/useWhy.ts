import { useEffect, useState } from 'react';
import type { Why } from '../../core/protocol/types.ts';
import { useApp, useAppState } from '../state/context.tsx';

const WAIT_MS = 120;

/** What each stage said of a message; asked for once the projection has rested. Null until it is here, or if it fails. */
export function useWhy(index: number): Why | null {
  const { engine } = useApp();
  const projectionId = useAppState((state) => state.projection.info?.projectionId ?? null);
  const hasStages = useAppState((state) => (state.projection.info?.reports.length ?? 0) > 1);
  const [why, setWhy] = useState<Why | null>(null);
  useEffect(() => {
    if (projectionId === null || !hasStages) {
      setWhy(null);
      return;
    }
    let isWanted = true;
    const timer = setTimeout(() => {
      engine.call('projection.why', { projectionId, index }).then(
        (found) => isWanted && setWhy(found),
        // A projection that is no longer at hand: the next one asks again.
        () => isWanted && setWhy(null),
      );
    }, WAIT_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [engine, projectionId, hasStages, index]);
  return why?.index === index ? why : null;
}
