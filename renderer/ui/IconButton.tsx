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

/** A button that is an icon; its name and key are shown by IconTips. */
export function IconButton({ label, keys, isPressed, testId, onClick, children }: Props) {
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={label}
      aria-pressed={isPressed}
      onClick={onClick}
      data-icon-tip={keys ?? ''}
      data-testid={testId}
    >
      {children}
    </button>
  );
}
