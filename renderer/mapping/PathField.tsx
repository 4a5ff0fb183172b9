import { useId } from 'react';
import type { SeenPath } from '../../core/model/mapping/preview.ts';
import { Combobox } from '../ui/Combobox.tsx';
import { Seen } from '../ui/Seen.tsx';
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

/** A path, with those the file has to choose from. */
export function PathField({ label, value, seen, fault, hint, field, focus = false, onChange }: Props) {
  const id = useId();
  return (
    <div className="path-field" data-faulty={fault !== undefined}>
      <label htmlFor={id}>{label}</label>
      <div className="path-box">
        <Combobox
          value={value}
          onChange={onChange}
          options={suggestions(seen, value)}
          optionKey={({ path }) => path}
          onTake={({ path }) => onChange(path)}
          closesOnTake
          list="below"
          listLabel={`Paths for ${label}`}
          listClass="path-list"
          optionProps={() => ({ className: 'path-option' })}
          input={{
            id,
            className: 'mono',
            'aria-invalid': fault !== undefined,
            'aria-describedby': fault === undefined ? undefined : `${id}-fault`,
            'data-testid': 'path-input',
            'data-field': field,
            'data-autofocus': focus || undefined,
            placeholder: hint,
          }}
        >
          {({ path, example }) => (
            <>
              <span className="mono">
                <Seen text={path} />
              </span>
              <span className="faint ellipsis">{example}</span>
            </>
          )}
        </Combobox>
      </div>
      {fault !== undefined && (
        <p className="path-fault" id={`${id}-fault`}>
          {fault}
        </p>
      )}
    </div>
  );
}
