import { useEffect } from 'react';
import { useApp, useAppState } from './context.tsx';
import { toProtocolError } from './engine.ts';

/** Fetches what recorded usage says of the open transcript, once its tokens are counted, and again when it grew. */
export function useLoadUsage(): void {
  const { engine, store } = useApp();
  const id = useAppState((state) => state.session.id);
  const info = useAppState((state) => state.session.info);
  useEffect(() => {
    if (id === null || info === null || info.counted < 1 || info.state === 'importing') return;
    let isWanted = true;
    engine.call('transcript.usage', { id, from: 0, to: 0 }).then(
      (usage) => isWanted && store.setState({ usage: { id, info: usage, error: null } }),
      (thrown: unknown) =>
        isWanted && store.setState({ usage: { id, info: null, error: toProtocolError(thrown).message } }),
    );
    return () => {
      isWanted = false;
    };
  }, [engine, store, id, info]);
}
