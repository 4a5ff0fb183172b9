import { useCallback, useEffect, useState } from 'react';
import { useApp } from '../state/context.tsx';
import type { LibraryLine } from './groups.ts';
import { above } from './nested.ts';

/** Shows or hides what stands under a transcript. */
export type Fold = (id: string, isFolded: boolean) => void;

/** Transcripts whose sub-agents and branches are shown; those above the open one are unfolded when it is opened. */
export function useUnfolded(openId: string | null): { readonly unfolded: ReadonlySet<string>; readonly fold: Fold } {
  const { store } = useApp();
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const fold = useCallback<Fold>((id, isFolded) => {
    setUnfolded((before) => {
      if (before.has(id) !== isFolded) return before;
      return isFolded ? new Set([...before].filter((one) => one !== id)) : new Set([...before, id]);
    });
  }, []);
  useEffect(() => {
    for (const id of above(store.getState().library.transcripts ?? [], openId)) fold(id, false);
  }, [openId, store, fold]);
  return { unfolded, fold };
}

/** Folds a transcript that is unfolded, else leaves for the one it stands under; the id that has the focus then. */
export function foldOrLeave(lines: readonly LibraryLine[], id: string, fold: Fold): string {
  const line = lines.find((one) => one.kind === 'transcript' && one.transcript.id === id);
  if (line?.kind !== 'transcript') return id;
  if (line.isUnfolded) fold(id, true);
  else if (line.depth > 0) return line.transcript.under?.id ?? id;
  return id;
}
