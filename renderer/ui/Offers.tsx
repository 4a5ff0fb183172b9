import './offers.css';
import { useEffect } from 'react';
import type { Completion } from '../../core/filter/completeIn.ts';
import { formatCount } from './format.ts';
import { Seen } from './Seen.tsx';

interface Props {
  /** Ids of list and lines begin with it: the field points at them. */
  readonly id: string;
  readonly className: string;
  readonly testId: string;
  readonly offered: readonly Completion[];
  /** Position of the one that Enter takes; -1 = none. */
  readonly chosen: number;
  readonly onTake: (one: Completion) => void;
}

/** What may be typed next, under the field of a filter. `className` says where it stands. */
export function Offers({ id, className, testId, offered, chosen, onTake }: Props) {
  useEffect(() => {
    document.getElementById(`${id}-offer-${chosen}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, chosen]);
  return (
    <div
      className={`offers ${className}`}
      id={`${id}-offers`}
      role="listbox"
      aria-label="Completions"
      data-testid={testId}
    >
      {offered.map((one, at) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
        // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and points at the one that is chosen
        <div
          key={one.text}
          id={`${id}-offer-${at}`}
          className="offer"
          role="option"
          aria-selected={at === chosen}
          // The field keeps the focus.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onTake(one)}
        >
          <span className="mono">
            <Seen text={one.text} />
          </span>
          <span className="mute ellipsis grow">{one.help}</span>
          {one.count !== null && <span className="num mute">{formatCount(one.count)}</span>}
        </div>
      ))}
    </div>
  );
}
