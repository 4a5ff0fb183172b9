import { ContextMenu } from 'radix-ui';
import type { MouseEvent, ReactNode } from 'react';
import { printed } from '../keys/keys.ts';
import { useApp, useCommands, useHost } from '../state/context.tsx';
import { usePlatform } from '../state/usePlatform.ts';

interface Props {
  /** Ids of commands, in the order of the menu. */
  readonly commands: readonly string[];
  readonly label: ReactNode;
  readonly testId: string;
  /** Id of the element that gets the focus when the menu closes. */
  readonly backTo: string;
  /** What the pointer is at, before the menu opens; it stays closed if the event's default is prevented. */
  readonly onPoint: (event: MouseEvent) => void;
  /** One element: the menu opens over it. */
  readonly children: ReactNode;
}

/** A menu of commands under the pointer. */
export function CommandMenu({ commands, label, testId, backTo, onPoint, children }: Props) {
  const app = useApp();
  const host = useHost();
  const platform = usePlatform();
  const all = useCommands();
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
          {commands
            .flatMap((id) => all.find((one) => one.id === id) ?? [])
            .map((command) => (
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
