import { ContextMenu } from 'radix-ui';
import { type MouseEvent, type ReactNode, useState } from 'react';
import { CommandMenu } from '../parts/CommandMenu.tsx';
import { useApp, useAppState } from '../state/context.tsx';
import { Seen } from '../ui/Seen.tsx';

/** The menu of a transcript under the pointer. Its line gets the focus first, unless it is one of several chosen. */
export function LibraryMenu({ children }: { readonly children: ReactNode }) {
  const app = useApp();
  const [id, setId] = useState<string | null>(null);
  const title = useAppState(({ library }) => library.transcripts?.find((one) => one.id === id)?.title ?? '');
  const point = (event: MouseEvent) => {
    const line =
      event.target instanceof Element ? event.target.closest<HTMLElement>('[data-testid="library-item"]') : null;
    const pointed = line?.dataset.id ?? null;
    setId(pointed);
    if (pointed === null) {
      event.preventDefault();
      return;
    }
    if (!app.store.getState().library.selected.has(pointed)) app.actions.select(new Set());
    app.actions.focusLine(pointed);
  };
  return (
    <CommandMenu
      menu="transcript"
      label={
        <ContextMenu.Label className="menu-label library-menu-label ellipsis">
          <Seen text={title} />
        </ContextMenu.Label>
      }
      testId="library-menu"
      backTo="library-list"
      onPoint={point}
    >
      {children}
    </CommandMenu>
  );
}
