import type { ComponentPropsWithRef, KeyboardEvent } from 'react';

interface Props extends Omit<ComponentPropsWithRef<'div'>, 'onKeyDown' | 'onClick' | 'role'> {
  readonly height: number;
  readonly label: string;
  /** Its range; 0 is the least if none is given. */
  readonly least?: number;
  readonly most: number;
  readonly now: number;
  /** Where it is, in words. */
  readonly says: string;
  /** Whether the key meant something here: then nothing else hears it. */
  readonly onKey: (event: KeyboardEvent) => boolean;
  /** A click. Px from its left end. */
  readonly onPlace?: (x: number) => void;
}

/** What is drawn along the session, led by arrow keys and clicks: a chart, or a strip under it. */
export function ChartSlider({ height, label, least = 0, most, now, says, onKey, onPlace, ...rest }: Props) {
  return (
    <div
      {...rest}
      style={{ height }}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={least}
      aria-valuemax={most}
      aria-valuenow={now}
      aria-valuetext={says}
      onKeyDown={(event) => {
        if (!onKey(event)) return;
        event.preventDefault();
        event.stopPropagation();
      }}
      onClick={(event) => onPlace?.(event.clientX - event.currentTarget.getBoundingClientRect().left)}
    />
  );
}
