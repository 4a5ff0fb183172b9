import { useCallback, useRef } from 'react';
import { useApp } from '../state/context.tsx';

/** Shorter than work in the background rests after each report. Unit: ms. */
const EVERY_MS = 150;

/** Reports to the engine that a person scrolls: what nobody waits for leaves the cores to frames. Call it with each event. */
export function useReportMoving(): () => void {
  const { store, engine } = useApp();
  const reported = useRef(Number.NEGATIVE_INFINITY);
  return useCallback(() => {
    const { id } = store.getState().session;
    const now = performance.now();
    if (id === null || now - reported.current < EVERY_MS) return;
    reported.current = now;
    // Nobody waits for it; a connection that is gone is reported by what does.
    engine.call('transcript.moving', { id }).catch(() => undefined);
  }, [store, engine]);
}
