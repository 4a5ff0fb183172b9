import { X } from 'lucide-react';
import { paramTitle } from '../paramLabel.ts';
import { NameField } from './NameField.tsx';
import type { ParamProps } from './types.ts';
import { useOffered } from './useOffered.ts';

/** A list of names as chips, with a field to add more. */
export function ListParam({ param, value, id, helpId, onChange, onList }: ParamProps) {
  const names: readonly string[] = Array.isArray(value) ? value : [];
  const offered = useOffered(param);
  const rest = offered.filter((offer) => !names.includes(offer.value));
  const remove = (name: string): void =>
    onChange(
      names.filter((one) => one !== name),
      'push',
    );
  return (
    <div className="name-chips" data-testid="name-chips">
      {names.map((name) => (
        <span key={name} className="name-chip" title={offered.find((offer) => offer.value === name)?.note}>
          <span className="ellipsis">{name}</span>
          <button type="button" aria-label={`Remove ${name}`} onClick={() => remove(name)}>
            <X size={11} aria-hidden />
          </button>
        </span>
      ))}
      <NameField
        id={id}
        label={paramTitle(param)}
        placeholder={names.length === 0 ? (param.empty ?? 'none') : 'add…'}
        helpId={helpId}
        offers={rest}
        {...(onList && { onList })}
        onAdd={(name) => !names.includes(name) && onChange([...names, name], 'push')}
        onBack={() => {
          const last = names.at(-1);
          if (last !== undefined) remove(last);
        }}
      />
    </div>
  );
}
