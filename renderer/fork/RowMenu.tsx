import './fork.css';
import { ContextMenu } from 'radix-ui';
import { type MouseEvent, type ReactNode, useState } from 'react';
import { printed } from '../keys/keys.ts';
import type { Command } from '../state/command.ts';
import { useApp, useCommands, useHost } from '../state/context.tsx';
import { usePlatform } from '../state/usePlatform.ts';
import { TIMELINE_ID } from '../ui/useFocusReturn.ts';

/** What can be done with a message, in the order of the menu. */
const IDS = ['message.copy', 'find.here', 'fork.here', 'call.here', 'mark.bookmark', 'mark.note'];

/** The menu of a row under the pointer. The row is selected first, so that its commands are those of the selection. */
export function RowMenu({ children }: { readonly children: ReactNode }) {
  const { store, actions } = useApp();
  const commands = useCommands();
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
    <ContextMenu.Root modal={false}>
      <ContextMenu.Trigger asChild onContextMenu={point}>
        {children}
      </ContextMenu.Trigger>
      <ContextMenu.Portal>
        <ContextMenu.Content
          className="menu"
          collisionPadding={8}
          loop
          data-testid="row-menu"
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            // What was chosen may have opened a dialog, which has the focus now.
            if (store.getState().ui.dialog === null) document.getElementById(TIMELINE_ID)?.focus();
          }}
        >
          <ContextMenu.Label className="menu-label num">Message #{index}</ContextMenu.Label>
          {IDS.flatMap((id) => commands.find((command) => command.id === id) ?? []).map((command) => (
            <RowMenuItem key={command.id} command={command} />
          ))}
        </ContextMenu.Content>
      </ContextMenu.Portal>
    </ContextMenu.Root>
  );
}

function RowMenuItem({ command }: { readonly command: Command }) {
  const app = useApp();
  const host = useHost();
  const platform = usePlatform();
  const key = command.keys?.[0];
  return (
    <ContextMenu.Item
      className="menu-item row-menu-item"
      onSelect={() => command.run({ app, host })}
      data-command={command.id}
    >
      <span className="grow">{command.title}</span>
      {key !== undefined && <kbd>{printed(key, platform)}</kbd>}
    </ContextMenu.Item>
  );
}
