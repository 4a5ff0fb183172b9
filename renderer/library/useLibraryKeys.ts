import { type KeyboardEvent, useCallback, useRef } from 'react';
import type { TranscriptSummary } from '../../core/protocol/types.ts';
import { useApp } from '../state/context.tsx';
import { clicked, type Held, range, toggled } from './selection.ts';

const PAGE = 15;

interface LibraryKeys {
  /** The keys of the list; true if it was one of them. */
  readonly onKey: (event: KeyboardEvent) => boolean;
  /** A click with Shift or Ctrl/Cmd chooses; true if it did. */
  readonly onClick: (id: string, held: Held) => boolean;
}

/** Moving, choosing and removing in a list of transcripts, by keyboard and mouse. `shown` = the lines in order. */
export function useLibraryKeys(shown: readonly TranscriptSummary[]): LibraryKeys {
  const { store, actions } = useApp();
  const anchor = useRef<string | null>(null);
  const order = useRef<readonly string[]>([]);
  order.current = shown.map(({ id }) => id);

  const onClick = useCallback(
    (id: string, held: Held) => {
      const { selected, focused } = store.getState().library;
      const from = anchor.current ?? focused ?? store.getState().session.id;
      const next = clicked(order.current, selected, from, id, held);
      if (!held.shiftKey) anchor.current = id;
      if (next === null) {
        if (selected.size > 0) actions.select(new Set());
        return false;
      }
      actions.focusLine(id);
      actions.select(next);
      return true;
    },
    [store, actions],
  );

  const onKey = useCallback(
    (event: KeyboardEvent): boolean => {
      const { library, session } = store.getState();
      const current = library.focused ?? session.id;
      const isField = event.target instanceof HTMLInputElement;
      const move = (delta: number) => {
        const at = current === null ? -1 : order.current.indexOf(current);
        const to = at === -1 ? (delta > 0 ? 0 : order.current.length - 1) : at + delta;
        const id = order.current[Math.max(0, Math.min(order.current.length - 1, to))];
        if (id === undefined) return;
        if (event.shiftKey && !isField) {
          anchor.current ??= current;
          actions.select(new Set(range(order.current, anchor.current, id)));
        } else anchor.current = null;
        actions.focusLine(id);
      };
      const delta = MOVES[event.key];
      if (delta !== undefined && !(isField && (event.key === 'Home' || event.key === 'End'))) move(delta);
      else if (isField) return false;
      else if (event.key === ' ' && current !== null) {
        anchor.current = current;
        actions.select(toggled(library.selected, current));
      } else if (event.key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey)) {
        actions.select(new Set(order.current));
      } else if (event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey) {
        // Here what is undone is a removal, never a change of policy; it can be for as long as it is kept.
        if (library.removed === null) actions.toast({ tone: 'info', text: 'Nothing to undo in the library.' });
        else void actions.undoRemove();
      } else if (event.key === 'Escape' && library.selected.size > 0) {
        actions.select(new Set());
      } else if (event.key === 'Delete' || (event.key === 'Backspace' && event.metaKey)) {
        const ids = library.selected.size > 0 ? [...library.selected] : current === null ? [] : [current];
        const gone = new Set(ids);
        const at = order.current.findIndex((id) => gone.has(id));
        const left = order.current.filter((id) => !gone.has(id));
        actions.focusLine(left[Math.min(at, left.length - 1)] ?? null);
        void actions.remove(ids);
      } else return false;
      return true;
    },
    [store, actions],
  );
  return { onKey, onClick };
}

const MOVES: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: PAGE,
  PageUp: -PAGE,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};
