import { type KeyboardEvent, type RefObject, useEffect } from 'react';
import type { App } from '../state/app.ts';
import { useApp } from '../state/context.tsx';
import { rowAt } from '../state/rowPages.ts';

type Pressed = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'metaKey' | 'ctrlKey' | 'altKey' | 'preventDefault'>;

/** Keys of the focused list: move, open, close. Commands of the whole program are in keys/. */
export function useTimelineKeys(scroller: RefObject<HTMLDivElement | null>): (event: KeyboardEvent) => void {
  const app = useApp();
  // Where nothing has the focus, as after a start or an import, the keys that move are meant for the messages.
  useEffect(() => {
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      const { ui, session, disconnected } = app.store.getState();
      if (event.target !== document.body || event.defaultPrevented) return;
      if (ui.dialog !== null || session.id === null || disconnected !== null) return;
      if (move(app, event)) scroller.current?.focus({ preventScroll: true });
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [app, scroller]);
  return (event) => {
    if (event.target !== scroller.current || event.metaKey || event.ctrlKey || event.altKey) return;
    if (move(app, event)) return;
    const { projection } = app.store.getState();
    const row = projection.selectionRow === null ? null : rowAt(projection.pages, projection.selectionRow)?.row;
    if (row?.kind === 'fold' && ['Enter', ' ', 'ArrowRight'].includes(event.key)) {
      event.preventDefault();
      app.actions.unfold(row.index, row.to ?? row.index);
      return;
    }
    if ((event.key === 'Enter' || event.key === ' ') && row) {
      event.preventDefault();
      app.actions.toggleOpen(row);
    }
    if (event.key === 'Escape') {
      event.preventDefault();
      app.actions.clearSelection();
    }
  };
}

/** Moves the selection; false if the key is another. */
function move({ viewport, actions }: App, event: Pressed): boolean {
  if (event.metaKey || event.ctrlKey || event.altKey || event.shiftKey) return false;
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
  const by = moves[event.key];
  if (by === undefined) return false;
  event.preventDefault();
  void actions.moveSelection(by);
  return true;
}
