import type { KeyboardEvent, RefObject } from 'react';
import { useApp } from '../state/context.tsx';
import { rowAt } from '../state/rowPages.ts';

/** Keys of the focused list: move, open, close. Commands of the whole program are in keys/. */
export function useTimelineKeys(scroller: RefObject<HTMLDivElement | null>): (event: KeyboardEvent) => void {
  const { store, actions, viewport } = useApp();
  return (event) => {
    if (event.target !== scroller.current || event.metaKey || event.ctrlKey || event.altKey) return;
    const page = Math.max(1, viewport.to - viewport.from - 2);
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: 1,
      ArrowUp: -1,
      j: 1,
      k: -1,
      PageDown: page,
      PageUp: -page,
      Home: Number.NEGATIVE_INFINITY,
      End: Number.POSITIVE_INFINITY,
    };
    const move = moves[event.key];
    if (move !== undefined && !event.shiftKey) {
      event.preventDefault();
      void actions.moveSelection(move);
      return;
    }
    const { projection } = store.getState();
    const row = projection.selectionRow === null ? null : rowAt(projection.pages, projection.selectionRow)?.row;
    if ((event.key === 'Enter' || event.key === ' ') && row) {
      event.preventDefault();
      actions.toggleOpen(row);
    }
    if (event.key === 'Escape') {
      event.preventDefault();
      actions.clearSelection();
    }
  };
}
