import { useState } from 'react';
import { Combobox } from '../../ui/Combobox.tsx';
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

/** A field to add names one after another: typed, or from what is offered. Enter or a comma adds. */
export function NameField({ id, label, placeholder, helpId, offers, onAdd, onList, onBack }: Props) {
  const [text, setText] = useState('');
  const wanted = text.trim().toLowerCase();
  const found = offers.filter(({ value }) => value.toLowerCase().includes(wanted)).slice(0, SHOWN);
  const add = (name: string): void => {
    if (name.trim() === '') return;
    onAdd(name.trim());
    setText('');
  };
  return (
    <Combobox
      value={text}
      onChange={setText}
      options={found}
      optionKey={({ value }) => value}
      onTake={({ value }) => add(value)}
      onEnter={() => add(text)}
      alsoEnter=","
      onList={onList}
      list="popover"
      listLabel={label}
      listClass="name-list"
      listTestId="name-list"
      optionProps={() => ({ className: 'name-offer' })}
      opensOnFocus
      input={{
        id,
        className: 'name-input',
        'aria-label': label,
        'aria-describedby': helpId,
        placeholder,
        onBlur: () => add(text),
        onKeyDown: (event) => {
          if (event.key === 'Backspace' && text === '') onBack?.();
        },
      }}
    >
      {({ value, note }) => (
        <>
          <span className="mono ellipsis">{value}</span>
          <span className="mute ellipsis">{note}</span>
        </>
      )}
    </Combobox>
  );
}
