import { Tooltip } from 'radix-ui';
import type { ReactNode } from 'react';
import './ui.css';

interface Props {
  readonly label: string;
  /** The key that does the same, shown in the tooltip. */
  readonly keys?: string | undefined;
  readonly isPressed?: boolean | undefined;
  readonly testId?: string | undefined;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

/** A button that is an icon, with its name and key in a tooltip. */
export function IconButton({ label, keys, isPressed, testId, onClick, children }: Props) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger asChild>
        <button
          type="button"
          className="icon-button"
          aria-label={label}
          aria-pressed={isPressed}
          onClick={onClick}
          data-testid={testId}
        >
          {children}
        </button>
      </Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Content className="tooltip" sideOffset={6} collisionPadding={8}>
          {label}
          {keys && <kbd>{keys}</kbd>}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
