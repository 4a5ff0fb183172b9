import { useEffect } from 'react';
import { withCodes } from '../../core/util/unseen.ts';
import { useAppState } from '../state/context.tsx';
import { MODE_TITLE } from '../state/modes.ts';
import type { AppState } from '../state/types.ts';

const MOST = 120;

/** What the window, the tab and the list of windows call this one: transcript, mode, program. */
export function titleOf({ session, library, ui }: AppState): string {
  if (ui.libraryWide) return 'Library – Parallax';
  const title = session.info?.title ?? library.transcripts?.find(({ id }) => id === session.id)?.title;
  if (session.id === null || title === undefined) return 'Parallax';
  const cut = title.length > MOST ? `${title.slice(0, MOST - 1)}…` : title;
  return `${withCodes(cut)} – ${MODE_TITLE[ui.mode]} – Parallax`;
}

/** Names the window after what is in it. */
export function useTitle(): void {
  const title = useAppState(titleOf);
  useEffect(() => {
    document.title = title;
  }, [title]);
}
