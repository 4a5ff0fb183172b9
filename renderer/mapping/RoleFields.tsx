import type { SeenPath } from '../../core/model/mapping/preview.ts';
import { isMappedRole } from '../../core/model/mapping/read.ts';
import { MAPPED_ROLES, type MappedRole } from '../../core/model/mapping/types.ts';
import type { RuleDraft } from '../state/mappingDraft.ts';
import { PathField } from './PathField.tsx';

interface Props {
  readonly rule: RuleDraft;
  readonly seen: readonly SeenPath[];
  /** Values that are at the role's path. */
  readonly found: readonly string[];
  readonly fault: string | undefined;
  readonly focus: boolean;
  readonly onChange: (change: Partial<RuleDraft>) => void;
}

const MOST = 30;

/** Who speaks: a field and what its values mean, or always the same. */
export function RoleFields({ rule, seen, found, fault, focus, onChange }: Props) {
  const { constant, rolePath, values, otherwise } = rule;
  const shown = [...new Set([...found, ...Object.keys(values)])].slice(0, MOST);
  const setValue = (value: string, role: MappedRole | null) => {
    const { [value]: _old, ...rest } = values;
    onChange({ values: role === null || role === value ? rest : { ...rest, [value]: role } });
  };
  return (
    <>
      <RoleSelect
        label="Role"
        testId="role-kind"
        value={constant}
        none="is read from a field"
        prefix="always "
        onChange={(role) => onChange({ constant: role })}
      />
      {constant === null && (
        <>
          <PathField
            label="Role path"
            field="role.path"
            value={rolePath}
            seen={seen}
            fault={fault}
            hint="@.role"
            focus={focus}
            onChange={(path) => onChange({ rolePath: path })}
          />
          {shown.map((value) => (
            <RoleSelect
              key={value}
              label={value === '' ? '(empty)' : value}
              isValue
              testId="role-value"
              value={values[value] ?? (isMappedRole(value) ? value : null)}
              none={otherwise === null ? 'none: kept as an event' : `as any other: ${otherwise}`}
              onChange={(role) => setValue(value, role)}
            />
          ))}
          <RoleSelect
            label="Any other value"
            testId="role-otherwise"
            value={otherwise}
            none="none: kept as an event"
            onChange={(role) => onChange({ otherwise: role })}
          />
        </>
      )}
    </>
  );
}

interface SelectProps {
  readonly label: string;
  /** The label is a value of the file. */
  readonly isValue?: boolean;
  readonly testId: string;
  readonly value: MappedRole | null;
  /** What no role means. */
  readonly none: string;
  readonly prefix?: string;
  readonly onChange: (role: MappedRole | null) => void;
}

function RoleSelect({ label, isValue = false, testId, value, none, prefix = '', onChange }: SelectProps) {
  return (
    <label className="path-field">
      <span className={isValue ? 'mono role-value ellipsis' : undefined} title={isValue ? label : undefined}>
        {label}
      </span>
      <select
        data-testid={testId}
        data-value={label}
        data-role={value ?? ''}
        value={value ?? ''}
        onChange={(event) => onChange(isMappedRole(event.target.value) ? event.target.value : null)}
      >
        <option value="">{none}</option>
        {MAPPED_ROLES.map((role) => (
          <option key={role} value={role}>
            {prefix + role}
          </option>
        ))}
      </select>
    </label>
  );
}
