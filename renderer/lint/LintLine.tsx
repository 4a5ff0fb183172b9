import type { HTMLAttributes, KeyboardEvent, ReactNode } from 'react';

interface Props extends Pick<HTMLAttributes<HTMLElement>, 'className' | 'title' | 'onKeyDown'> {
  readonly isChosen: boolean;
  readonly isOpen?: boolean;
  /** It is pointed at, or the keys came to it. */
  readonly onChoose: () => void;
  /** It was clicked, or Enter pressed on it. */
  readonly onGo?: () => void;
  readonly children: ReactNode;
}

/** One line of the list: a rule, a finding, the profile. */
export function LintLine({ className = '', isChosen, isOpen, onChoose, onGo, onKeyDown, children, ...rest }: Props) {
  const go = () => {
    onChoose();
    onGo?.();
  };
  const onKey = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Enter') go();
    else onKeyDown?.(event);
  };
  return (
    <div
      {...rest}
      className={`lint-line ${className}`}
      role="treeitem"
      aria-selected={isChosen}
      aria-expanded={isOpen}
      tabIndex={isChosen ? 0 : -1}
      onClick={go}
      onFocus={onChoose}
      onKeyDown={onKey}
    >
      {children}
    </div>
  );
}
