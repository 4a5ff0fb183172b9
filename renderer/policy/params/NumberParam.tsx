import { useState } from 'react';
import { useGesture } from '../../state/usePolicyEdit.ts';
import type { ParamProps } from './types.ts';

/** A field for a number with decimals. Arrow keys step by a tenth of its size. */
export function NumberParam({ param, value, id, helpId, onChange }: ParamProps) {
  const gesture = useGesture();
  const [draft, setDraft] = useState<string | null>(null);
  const min = param.min ?? 0;
  const number = typeof value === 'number' ? value : min;
  const isBad = draft !== null && parseNumber(draft, min) === null;
  const set = (next: number): void => {
    if (next !== number) onChange(next, gesture.next());
  };
  return (
    <input
      id={id}
      className="field field-decimal mono num"
      inputMode="decimal"
      autoComplete="off"
      aria-describedby={helpId}
      aria-invalid={isBad}
      title={isBad ? `A number, ${min} or more` : undefined}
      value={draft ?? String(number)}
      onFocus={(event) => event.target.select()}
      onChange={(event) => {
        setDraft(event.target.value);
        const typed = parseNumber(event.target.value, min);
        if (typed !== null) set(typed);
      }}
      onBlur={() => {
        setDraft(null);
        gesture.end();
      }}
      onKeyDown={(event) => {
        const step = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
        if (step === 0) return;
        event.preventDefault();
        setDraft(null);
        const size = number > 0 && number < 1 ? 0.01 : number < 10 ? 0.1 : 1;
        set(Math.max(min, Math.round((number + step * size) * 1000) / 1000));
      }}
    />
  );
}

/** The number a text writes, `min` or more; null if it is none. */
export function parseNumber(text: string, min: number): number | null {
  const trimmed = text.trim();
  if (!/^\d*\.?\d+$|^\d+\.$/.test(trimmed)) return null;
  const number = Number(trimmed);
  return number >= min ? number : null;
}
