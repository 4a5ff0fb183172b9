import { Popover } from 'radix-ui';
import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import type { Offer } from './useOffered.ts';

interface Props {
  readonly id: string;
  readonly label: string;
  readonly placeholder: string;
  readonly helpId: string;
  readonly offers: readonly Offer[];
  readonly onAdd: (name: string) => void;
  readonly onList?: (isOpen: boolean) => void;
  /** Backspace in the empty field. */
  readonly onBack?: () => void;
}

const SHOWN = 50;

/** A field to add names one after another: typed, or from what is offered. Arrow keys choose, Enter or a comma adds. */
export function NameField({ id, label, placeholder, helpId, offers, onAdd, onList, onBack }: Props) {
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const listId = useId();
  const wanted = text.trim().toLowerCase();
  const found = offers.filter(({ value }) => value.toLowerCase().includes(wanted)).slice(0, SHOWN);
  const shows = isOpen && found.length > 0;
  useEffect(() => onList?.(shows), [onList, shows]);
  const add = (name: string): void => {
    if (name.trim() === '') return;
    onAdd(name.trim());
    setText('');
    setActive(-1);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0 && !event.altKey) {
      event.preventDefault();
      setOpen(true);
      setActive((old) => Math.max(-1, Math.min(found.length - 1, old + step)));
    } else if (event.key === 'Enter' || event.key === ',') {
      event.preventDefault();
      add((shows ? found[active]?.value : undefined) ?? text);
    } else if (event.key === 'Escape' && shows) {
      event.stopPropagation();
      setOpen(false);
    } else if (event.key === 'Backspace' && text === '') onBack?.();
  };
  return (
    <Popover.Root open={shows} onOpenChange={setOpen}>
      <Popover.Anchor asChild>
        <input
          id={id}
          className="name-input"
          role="combobox"
          aria-label={label}
          aria-describedby={helpId}
          aria-expanded={shows}
          aria-controls={listId}
          aria-activedescendant={shows && active >= 0 ? `${listId}-${active}` : undefined}
          placeholder={placeholder}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onFocus={() => setOpen(true)}
          onClick={() => setOpen(true)}
          onChange={(event) => {
            setText(event.target.value);
            setOpen(true);
            setActive(-1);
          }}
          onBlur={() => {
            setOpen(false);
            add(text);
          }}
          onKeyDown={onKeyDown}
        />
      </Popover.Anchor>
      <Popover.Portal>
        <Popover.Content
          className="popover name-list"
          align="start"
          sideOffset={4}
          collisionPadding={8}
          onOpenAutoFocus={(event) => event.preventDefault()}
          onCloseAutoFocus={(event) => event.preventDefault()}
        >
          <div id={listId} role="listbox" aria-label={label} data-testid="name-list">
            {found.map((offer, at) => (
              // The field keeps the focus, and with it the keys.
              <div
                key={offer.value}
                id={`${listId}-${at}`}
                role="option"
                tabIndex={-1}
                aria-selected={at === active}
                className="name-offer"
                onPointerDown={(event) => event.preventDefault()}
                onPointerMove={() => setActive(at)}
                onClick={() => add(offer.value)}
                onKeyDown={() => undefined}
              >
                <span className="mono ellipsis">{offer.value}</span>
                <span className="mute ellipsis">{offer.note}</span>
              </div>
            ))}
          </div>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
