import { useEffect, useId } from 'react';
import { useActions } from './context.tsx';

/** Says in the status line that a screen waits for what the engine computes; null = it does not. */
export function useWork(text: string | null): void {
  const { setWork } = useActions();
  const key = useId();
  useEffect(() => {
    if (text === null) return;
    setWork(key, { text, done: null, total: null });
    return () => setWork(key, null);
  }, [setWork, key, text]);
}
