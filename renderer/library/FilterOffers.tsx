import type { Completion } from '../../core/filter/completeIn.ts';
import { formatCount } from '../ui/format.ts';
import { Seen } from '../ui/Seen.tsx';

interface Props {
  /** Of the field. */
  readonly id: string;
  readonly offered: readonly Completion[];
  /** Position of the one that Enter takes; -1 = none. */
  readonly chosen: number;
  readonly onTake: (one: Completion) => void;
}

/** What may be typed next above the list. */
export function FilterOffers({ id, offered, chosen, onTake }: Props) {
  return (
    <div
      className="library-offers"
      id={`${id}-offers`}
      role="listbox"
      aria-label="Completions"
      data-testid="library-offers"
    >
      {offered.map((one, at) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
        // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and points at the one that is chosen
        <div
          key={one.text}
          id={`${id}-offer-${at}`}
          className="library-offer"
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
