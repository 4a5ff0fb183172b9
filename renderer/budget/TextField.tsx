import { useState } from 'react';

interface Props<T> {
  readonly label: string;
  readonly testId?: string;
  readonly value: string;
  /** CSS length. */
  readonly width: string;
  readonly placeholder?: string;
  /** What the typed text means; null = nothing. */
  readonly read: (text: string) => T | null;
  readonly onChange: (value: T) => void;
}

/** A figure to be typed over: Enter or leaving it commits, Esc takes it back, what means nothing is marked and dropped. */
export function TextField<T>({ label, testId, value, width, placeholder, read, onChange }: Props<T>) {
  const [draft, setDraft] = useState<string | null>(null);
  const given = draft === null || draft === value ? null : read(draft);
  const commit = () => {
    if (given !== null) onChange(given);
    setDraft(null);
  };
  return (
    <input
      className="field field-figure mono num"
      style={{ width }}
      aria-label={label}
      data-testid={testId}
      autoComplete="off"
      spellCheck={false}
      placeholder={placeholder}
      aria-invalid={draft !== null && draft.trim() !== '' && draft !== value && given === null}
      value={draft ?? value}
      onFocus={(event) => event.target.select()}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit();
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        setDraft(null);
      }}
    />
  );
}
