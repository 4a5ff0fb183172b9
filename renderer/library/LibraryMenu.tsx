import { ContextMenu } from 'radix-ui';
import { type MouseEvent, type ReactNode, useState } from 'react';
import { printed } from '../keys/keys.ts';
import { useApp, useAppState, useCommands, useHost } from '../state/context.tsx';
import { usePlatform } from '../state/usePlatform.ts';

const IDS = ['library.copyTitle', 'library.copyFile', 'library.rename', 'library.tag', 'library.remove'];

/** The menu of a transcript under the pointer. Its line gets the focus first, unless it is one of several chosen. */
export function LibraryMenu({ children }: { readonly children: ReactNode }) {
  const app = useApp();
  const host = useHost();
  const platform = usePlatform();
  const commands = useCommands();
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
    <ContextMenu.Root modal={false}>
      <ContextMenu.Trigger asChild onContextMenu={point}>
        {children}
      </ContextMenu.Trigger>
      <ContextMenu.Portal>
        <ContextMenu.Content
          className="menu"
          collisionPadding={8}
          loop
          data-testid="library-menu"
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (app.store.getState().ui.dialog === null) document.getElementById('library-list')?.focus();
          }}
        >
          <ContextMenu.Label className="menu-label library-menu-label ellipsis">{title}</ContextMenu.Label>
          {IDS.flatMap((one) => commands.find((command) => command.id === one) ?? []).map((command) => (
            <ContextMenu.Item
              key={command.id}
              className="menu-item row-menu-item"
              onSelect={() => command.run({ app, host })}
              data-command={command.id}
            >
              <span className="grow">{command.title}</span>
              {command.keys?.[0] !== undefined && <kbd>{printed(command.keys[0], platform)}</kbd>}
            </ContextMenu.Item>
          ))}
        </ContextMenu.Content>
      </ContextMenu.Portal>
    </ContextMenu.Root>
  );
}
