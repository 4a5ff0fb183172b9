// Removing is done a few seconds later, so that it can be taken back; until then the transcript is only hidden.
import { useCallback, useState } from 'react';
import { useApp } from '../state/context.tsx';

const UNDO_MS = 6000;

/** Ids hidden because they are about to be removed, and the way to remove. */
export function useRemove(): { readonly hidden: ReadonlySet<string>; readonly remove: (id: string) => void } {
  const { store, actions } = useApp();
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const remove = useCallback(
    (id: string) => {
      const title = store.getState().library.transcripts?.find((one) => one.id === id)?.title ?? id;
      const unhide = () => setHidden((before) => new Set([...before].filter((one) => one !== id)));
      setHidden((before) => new Set([...before, id]));
      const timer = setTimeout(() => {
        actions.dismissToast(toast);
        void actions.remove(id).finally(unhide);
      }, UNDO_MS);
      const undo = () => {
        clearTimeout(timer);
        actions.dismissToast(toast);
        unhide();
      };
      const toast = actions.toast({ tone: 'info', text: `Removed “${title}”`, action: { label: 'Undo', run: undo } });
    },
    [store, actions],
  );
  return { hidden, remove };
}
