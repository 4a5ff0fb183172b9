import { type KeyboardEvent, useState } from 'react';

const STEP: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, Home: -1e9, End: 1e9 };

/**
 * A table as one stop of the Tab key: Up, Down, Home and End choose one of its `rows` and focus it, Enter on a row gives it
 * to `onEnter`. What stands within a row keeps its own Enter.
 */
export function useChosenRow(rows: number, onEnter: (at: number) => void) {
  const [chosen, setChosen] = useState(0);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const step = STEP[event.key];
    if (event.key === 'Enter' && event.target instanceof HTMLTableRowElement) onEnter(chosen);
    else if (step === undefined) return;
    else {
      const to = Math.max(0, Math.min(rows - 1, chosen + step));
      setChosen(to);
      event.currentTarget.querySelectorAll<HTMLElement>('tbody tr')[to]?.focus();
    }
    event.preventDefault();
    event.stopPropagation();
  };
  return { chosen, setChosen, onKeyDown };
}
