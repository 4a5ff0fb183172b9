import { useState } from 'react';
import type { ParamProps } from './types.ts';

interface NumberInputProps {
  readonly id: string;
  readonly helpId?: ParamProps['helpId'] | undefined;
  readonly className: string;
  readonly inputMode: 'numeric' | 'decimal';
  readonly number: number;
  /** The number as the field shows it while nobody types in it. */
  readonly shown: string;
  /** The number that a text writes; null if it writes none that is allowed. */
  readonly parse: (text: string) => number | null;
  /** The title while the typed text is not allowed. */
  readonly badTitle: string;
  /** The number one step up (1) or down (-1). */
  readonly stepped: (direction: 1 | -1, isLarge: boolean) => number;
  /** Called for each number that differs from `number`, also while it is typed. */
  readonly onNumber: (next: number) => void;
  /** Called when the field loses the focus. */
  readonly onEnd: () => void;
}

/** A field for a number: what is typed counts as soon as it is allowed, and the up and down keys step. */
export function NumberInput(props: NumberInputProps) {
  const { number, parse, onNumber } = props;
  const [draft, setDraft] = useState<string | null>(null);
  const isBad = draft !== null && parse(draft) === null;
  const set = (next: number): void => {
    if (next !== number) onNumber(next);
  };
  return (
    <input
      id={props.id}
      className={props.className}
      inputMode={props.inputMode}
      autoComplete="off"
      aria-describedby={props.helpId}
      aria-invalid={isBad}
      title={isBad ? props.badTitle : undefined}
      value={draft ?? props.shown}
      onFocus={(event) => event.target.select()}
      onChange={(event) => {
        setDraft(event.target.value);
        const typed = parse(event.target.value);
        if (typed !== null) set(typed);
      }}
      onBlur={() => {
        setDraft(null);
        props.onEnd();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
        event.preventDefault();
        setDraft(null);
        set(props.stepped(event.key === 'ArrowUp' ? 1 : -1, event.shiftKey));
      }}
    />
  );
}
