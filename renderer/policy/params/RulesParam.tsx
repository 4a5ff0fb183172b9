import { X } from 'lucide-react';
import { useId } from 'react';
import type { ParamSchema } from '../../../core/view/types.ts';
import { applies, isChanged, type OptionValue, type RuleRow, rowsOf, shownValue } from '../../state/editSpec.ts';
import { paramTitle } from '../paramLabel.ts';
import { NameField } from './NameField.tsx';
import type { ParamLineType, ParamProps } from './types.ts';
import { useOffered } from './useOffered.ts';

/** Rows by name, each with its own options, and a field to add one. */
export function RulesParam({
  param,
  value,
  id,
  helpId,
  stageAt,
  Line,
  onChange,
  onList,
}: ParamProps & { readonly stageAt: number; readonly Line: ParamLineType }) {
  const rows = rowsOf(value);
  const offers = useOffered(param).filter((offer) => !Object.hasOwn(rows, offer.value));
  const remove = (name: string): void =>
    onChange(Object.fromEntries(Object.entries(rows).filter(([one]) => one !== name)), 'push');
  return (
    <div className="rules" data-testid="rules">
      {Object.entries(rows).map(([name, row]) => (
        <RuleRowFields
          key={name}
          name={name}
          row={row}
          fields={param.fields ?? []}
          stageAt={stageAt}
          Line={Line}
          onChange={(next, history) => onChange({ ...rows, [name]: next }, history)}
          onRemove={() => remove(name)}
        />
      ))}
      <NameField
        id={id}
        label={`Add to ${paramTitle(param)}`}
        placeholder={param.offers === 'tools' ? 'add a tool…' : 'add a name…'}
        helpId={helpId}
        offers={offers}
        {...(onList && { onList })}
        onAdd={(name) => !Object.hasOwn(rows, name) && onChange({ ...rows, [name]: {} }, 'push')}
      />
    </div>
  );
}

interface RowProps {
  readonly name: string;
  readonly row: RuleRow;
  readonly fields: readonly ParamSchema[];
  readonly stageAt: number;
  readonly Line: ParamLineType;
  readonly onChange: (row: RuleRow, history: 'push' | 'replace') => void;
  readonly onRemove: () => void;
}

// A row is read and shown as a stage's options are: by the schemas of its fields.
function RuleRowFields({ name, row, fields, stageAt, Line, onChange, onRemove }: RowProps) {
  const prefix = useId();
  const stage = { kind: name, options: row };
  const set = (field: ParamSchema, value: OptionValue, history: 'push' | 'replace'): void => {
    const rest = Object.fromEntries(Object.entries(row).filter(([key]) => key !== field.name));
    const isPlain = typeof value !== 'object' || value === null;
    onChange(value === field.default || !isPlain ? rest : { ...rest, [field.name]: value }, history);
  };
  return (
    <fieldset className="rule" data-testid="rule" data-name={name}>
      <legend className="rule-name">
        <span className="mono ellipsis">{name}</span>
        <button type="button" aria-label={`Remove the rule of ${name}`} onClick={onRemove}>
          <X size={12} aria-hidden />
        </button>
      </legend>
      {fields
        .filter((field) => applies(stage, fields, field))
        .map((field) => (
          <Line
            key={field.name}
            param={field}
            value={shownValue(stage, field)}
            id={`${prefix}-${field.name}`}
            helpId={`${prefix}-${field.name}-help`}
            stageAt={stageAt}
            changed={isChanged(stage, field)}
            onChange={(value, history) => set(field, value, history)}
            onReset={() => set(field, field.default, 'push')}
          />
        ))}
    </fieldset>
  );
}
