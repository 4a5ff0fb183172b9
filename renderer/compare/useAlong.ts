import { useEffect, useState } from 'react';
import { useApp, useAppState } from '../state/context.tsx';
import { useAnswer } from '../state/useAnswer.ts';
import type { Along, ComparedSpecs } from './useCompared.ts';

/** Whoever moves a slider is not waiting for this. */
const WAIT_MS = 150;

/** Both policies along the session. What is computed of a pair of policies stays until the next pair is known. */
export function useAlong(specs: ComparedSpecs | null): Along {
  const { engine } = useApp();
  const messages = useAppState((state) => state.session.info?.messages ?? 0);
  const isFinal = useAppState((state) => state.projection.info?.final ?? false);
  const [stopped, setStopped] = useState<string | null>(null);
  const [progress, setProgress] = useState<Along['progress']>(null);
  const key = JSON.stringify(specs);
  const isStopped = stopped === key;
  const answer = useAnswer('compare.along', isStopped ? null : specs, { wait: WAIT_MS, again: [messages, isFinal] });
  const id = specs?.id ?? null;
  useEffect(() => engine.on('compare', ({ id: of, ...progress }) => of === id && setProgress(progress)), [engine, id]);
  const { isLoading } = answer;
  useEffect(() => {
    if (!isLoading) setProgress(null);
  }, [isLoading]);
  // Who leaves the mode waits for nothing.
  useEffect(() => () => void engine.call('compare.stop', {}).catch(() => undefined), [engine]);
  return {
    ...answer,
    progress,
    isStopped,
    stop() {
      setStopped(key);
      void engine.call('compare.stop', {}).catch(() => undefined);
    },
    begin: () => setStopped(null),
  };
}
