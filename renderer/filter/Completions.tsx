import { useEffect } from 'react';
import type { Completion } from '../../core/filter/complete.ts';
import { formatCount } from '../ui/format.ts';
import { Seen } from '../ui/Seen.tsx';

interface Props {
  readonly offered: readonly Completion[];
  /** Position of the one that Enter takes; -1 = none. */
  readonly chosen: number;
  readonly onTake: (one: Completion) => void;
}

/** What may be typed next, under the field. */
export function Completions({ offered, chosen, onTake }: Props) {
  useEffect(() => {
    document.getElementById(`filter-offer-${chosen}`)?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  return (
    <div
      className="filter-offers"
      id="filter-offers"
      role="listbox"
      aria-label="Completions"
      data-testid="filter-offers"
    >
      {offered.map((one, at) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
        // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and points at the one that is chosen
        <div
          key={one.text}
          id={`filter-offer-${at}`}
          className="filter-offer"
          role="option"
          aria-selected={at === chosen}
          // The field keeps the focus.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onTake(one)}
        >
          <span className="mono">
            <Seen text={one.text} />
          </span>
          <span className="filter-help ellipsis">{one.help}</span>
          {one.count !== null && <span className="num mute">{formatCount(one.count)}</span>}
        </div>
      ))}
    </div>
  );
}
