import { useEffect, useState } from 'react';
import { useApp, useAppState } from './context.tsx';

/** What is there sooner needs no figure. Unit: ms. */
const EVERY_MS = 700;

/** How much of the open session was looked through for uses and findings, `43%`; empty while nobody waits or it is not known. */
export function useLookedThrough(isWaiting: boolean): string {
  const { engine } = useApp();
  const id = useAppState((state) => state.session.id);
  const [share, setShare] = useState<number | null>(null);
  useEffect(() => {
    if (!isWaiting || id === null) return;
    const timer = setInterval(() => {
      // Whoever waits gets the failure with the answer.
      engine.call('uses.progress', { id }).then(
        (looked) => setShare(looked.share),
        () => setShare(null),
      );
    }, EVERY_MS);
    return () => {
      clearInterval(timer);
      setShare(null);
    };
  }, [engine, id, isWaiting]);
  return share === null || !isWaiting ? '' : `${Math.floor(share * 100)}%`;
}
