import { useEffect, useState } from 'react';
import { useApp, useAppState } from '../state/context.tsx';

const LIMIT = 1_000_000;
const NOTHING = { isUsers: false, text: '' };

/** What a user's message says, to be edited; nothing for any other message. */
export function useOwnText(index: number | null): { readonly isUsers: boolean; readonly text: string } {
  const { engine } = useApp();
  const projectionId = useAppState((state) => state.projection.info?.projectionId ?? null);
  const [own, setOwn] = useState(NOTHING);
  useEffect(() => {
    if (index === null || projectionId === null) return;
    let isWanted = true;
    engine.call('projection.detail', { projectionId, index, limit: LIMIT }).then(
      ({ role, parts }) => {
        const texts = parts.filter(({ kind }) => kind === 'text').map(({ text }) => text);
        const isUsers = role === 'user' && texts.length > 0;
        if (isWanted) setOwn(isUsers ? { isUsers, text: texts.join('\n\n') } : NOTHING);
      },
      // The field stays empty: what is there can be read behind the dialog.
      () => isWanted && setOwn(NOTHING),
    );
    return () => {
      isWanted = false;
    };
  }, [engine, projectionId, index]);
  return own;
}
