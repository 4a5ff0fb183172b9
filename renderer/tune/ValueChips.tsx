import type { VariedValue } from '../../core/protocol/tuneTypes.ts';
import { valueText } from './words.ts';

interface Props {
  /** The values that the sweep on screen took. */
  readonly found: readonly VariedValue[];
  /** As they are typed. */
  readonly values: string;
  readonly onChange: (values: string) => void;
}

/** The values of an option that were tried, each to be left out of the next sweep or taken in again. */
export function ValueChips({ found, values, onChange }: Props) {
  if (found.length < 2) return null;
  const typed = new Set(values.split(',').map((value) => value.trim()));
  const listed = found.some((value) => typed.has(String(value)));
  const isIn = (value: VariedValue): boolean => !listed || typed.has(String(value));
  const toggle = (value: VariedValue): void => {
    const next = found.filter((each) => (each === value ? !isIn(each) : isIn(each)));
    if (next.length > 0) onChange(next.map(String).join(','));
  };
  return (
    <fieldset className="tune-chips" aria-label="Values that were tried">
      {found.map((value) => (
        <button
          key={String(value)}
          type="button"
          className="tune-chip num"
          aria-pressed={isIn(value)}
          onClick={() => toggle(value)}
        >
          {valueText(value)}
        </button>
      ))}
    </fieldset>
  );
}
