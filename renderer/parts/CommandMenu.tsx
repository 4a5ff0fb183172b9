import { ContextMenu } from 'radix-ui';
import { Fragment, type MouseEvent, type ReactNode } from 'react';
import { printed } from '../keys/keys.ts';
import type { Command } from '../state/command.ts';
import { useApp, useAppState, useCommands, useHost } from '../state/context.tsx';
import { MENUS, type MenuId } from '../state/menus.ts';
import { usePlatform } from '../state/usePlatform.ts';

interface Props {
  readonly menu: MenuId;
  readonly label: ReactNode;
  readonly testId: string;
  /** Id of the element that gets the focus when the menu closes. */
  readonly backTo: string;
  /** What the pointer is at, before the menu opens; it stays closed if the event's default is prevented. */
  readonly onPoint: (event: MouseEvent) => void;
  /** One element: the menu opens over it. */
  readonly children: ReactNode;
}

/** A menu of commands under the pointer, or by Shift+F10 and the menu key, where the keyboard is. */
export function CommandMenu({ menu, label, testId, backTo, onPoint, children }: Props) {
  const app = useApp();
  const all = useCommands();
  const groups = MENUS[menu].map((ids) => ids.flatMap((id) => all.find((one) => one.id === id) ?? []));
  return (
    <ContextMenu.Root modal={false}>
      <ContextMenu.Trigger asChild onContextMenu={onPoint}>
        {children}
      </ContextMenu.Trigger>
      <ContextMenu.Portal>
        <ContextMenu.Content
          className="menu"
          collisionPadding={8}
          loop
          data-testid={testId}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            // What was chosen may have opened a dialog, which has the focus now.
            if (app.store.getState().ui.dialog === null) document.getElementById(backTo)?.focus();
          }}
        >
          {label}
          {groups.map((commands, at) => (
            <Fragment key={commands[0]?.id}>
              {at > 0 && <ContextMenu.Separator className="menu-line" />}
              {commands.map((command) => (
                <MenuItem key={command.id} command={command} />
              ))}
            </Fragment>
          ))}
        </ContextMenu.Content>
      </ContextMenu.Portal>
    </ContextMenu.Root>
  );
}

function MenuItem({ command }: { readonly command: Command }) {
  const app = useApp();
  const host = useHost();
  const platform = usePlatform();
  const isEnabled = useAppState((state) => command.isEnabled?.(state) ?? true);
  return (
    <ContextMenu.Item
      className="menu-item row-menu-item"
      disabled={!isEnabled}
      onSelect={() => command.run({ app, host })}
      data-command={command.id}
    >
      <span className="grow">{command.title}</span>
      {command.keys?.[0] !== undefined && <kbd>{printed(command.keys[0], platform)}</kbd>}
    </ContextMenu.Item>
  );
}
