import { type KeyboardEvent, useId, useState } from 'react';
import type { SeenPath } from '../../core/model/mapping/preview.ts';
import { suggestions } from './suggestions.ts';

interface Props {
  readonly label: string;
  readonly value: string;
  /** Paths that are there in the file. */
  readonly seen: readonly SeenPath[];
  readonly fault: string | undefined;
  /** Shown while the field is empty. */
  readonly hint?: string;
  readonly field: string;
  readonly focus?: boolean;
  readonly onChange: (value: string) => void;
}

/** A path, with those the file has to choose from. Down opens the list, Enter takes, Esc closes it. */
export function PathField({ label, value, seen, fault, hint, field, focus = false, onChange }: Props) {
  const id = useId();
  const [active, setActive] = useState<number | null>(null);
  const [isOpen, setOpen] = useState(false);
  const found = isOpen ? suggestions(seen, value) : [];
  const chosen = active === null ? undefined : found[active];
  const close = () => {
    setOpen(false);
    setActive(null);
  };
  const take = (path: string) => {
    onChange(path);
    close();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setOpen(true);
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setActive((old) =>
        isOpen && found.length > 0 ? ((old ?? (step > 0 ? -1 : 0)) + step + found.length) % found.length : 0,
      );
    } else if (event.key === 'Enter' && chosen) {
      event.preventDefault();
      take(chosen.path);
    } else if (event.key === 'Escape' && isOpen && found.length > 0) {
      event.preventDefault();
      event.stopPropagation();
      close();
    }
  };
  return (
    <div className="path-field" data-faulty={fault !== undefined}>
      <label htmlFor={id}>{label}</label>
      <div className="path-box">
        <input
          id={id}
          className="mono"
          role="combobox"
          aria-expanded={found.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={chosen ? `${id}-${active}` : undefined}
          aria-invalid={fault !== undefined}
          aria-describedby={fault === undefined ? undefined : `${id}-fault`}
          data-testid="path-input"
          data-field={field}
          spellCheck={false}
          autoComplete="off"
          data-autofocus={focus || undefined}
          placeholder={hint}
          value={value}
          onChange={(event) => {
            onChange(event.target.value);
            setOpen(true);
            setActive(null);
          }}
          onClick={() => setOpen(true)}
          onBlur={close}
          onKeyDown={onKeyDown}
        />
        {found.length > 0 && (
          <div role="listbox" id={`${id}-list`} aria-label={`Paths for ${label}`} className="path-list">
            {found.map(({ path, example }, at) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the input has the keys
              // biome-ignore lint/a11y/useFocusableInteractive: the input keeps the focus
              <div
                key={path}
                role="option"
                id={`${id}-${at}`}
                aria-selected={at === active}
                className="path-option"
                ref={at === active ? (element) => element?.scrollIntoView({ block: 'nearest' }) : undefined}
                // The field must keep the focus, or the list is gone before the click.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => take(path)}
              >
                <span className="mono">{path}</span>
                <span className="faint ellipsis">{example}</span>
              </div>
            ))}
          </div>
        )}
      </div>
      {fault !== undefined && (
        <p className="path-fault" id={`${id}-fault`}>
          {fault}
        </p>
      )}
    </div>
  );
}
