import './fork.css';
import { ContextMenu } from 'radix-ui';
import { type MouseEvent, type ReactNode, useState } from 'react';
import { CommandMenu } from '../parts/CommandMenu.tsx';
import { useActions } from '../state/context.tsx';
import { TIMELINE_ID } from '../ui/useFocusReturn.ts';

/** The menu of a row under the pointer. The row is selected first, so that its commands are those of the selection. */
export function RowMenu({ children }: { readonly children: ReactNode }) {
  const actions = useActions();
  const [index, setIndex] = useState<number | null>(null);
  const point = (event: MouseEvent) => {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-testid="row"]') : null;
    if (row === null || row.dataset.kind !== 'part') {
      event.preventDefault();
      setIndex(null);
      return;
    }
    setIndex(Number(row.dataset.index));
    void actions.goToMessage(Number(row.dataset.index), Number(row.dataset.part));
  };
  return (
    <CommandMenu
      menu="message"
      label={<ContextMenu.Label className="menu-label num">Message #{index}</ContextMenu.Label>}
      testId="row-menu"
      backTo={TIMELINE_ID}
      onPoint={point}
    >
      {children}
    </CommandMenu>
  );
}
