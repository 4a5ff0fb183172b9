import { Tooltip } from 'radix-ui';
import { type ReactElement, type ReactNode, useState } from 'react';

interface Props {
  readonly title: string;
  readonly help: string;
  readonly notes?: readonly (string | null)[];
  readonly side?: 'left' | 'top' | 'bottom';
  /** How far from what it surrounds, in px. */
  readonly offset?: number;
  /** Something within is open, and says what there is to say. */
  readonly isSilent?: boolean;
  readonly children: ReactElement;
}

/** Explains what it surrounds: on hover, and on focus of anything within. */
export function HelpTip({
  title,
  help,
  notes = [],
  side = 'left',
  offset = 8,
  isSilent = false,
  children,
}: Props): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const lines = notes.filter((note) => note !== null);
  return (
    <Tooltip.Root open={isOpen && !isSilent} onOpenChange={setOpen} disableHoverableContent>
      {/* Who turns a value looks at what follows from it: the explanation goes out of the way. */}
      <Tooltip.Trigger asChild data-tip onKeyDown={({ key }) => key !== 'Tab' && key !== 'Shift' && setOpen(false)}>
        {children}
      </Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Content className="tooltip help-tip" side={side} sideOffset={offset} collisionPadding={8}>
          <b>{title}</b>
          <span>{help}</span>
          {lines.length > 0 && <span className="mute">{lines.join(' · ')}</span>}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
