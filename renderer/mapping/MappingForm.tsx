import { useState } from 'react';
import type { SeenPath } from '../../core/model/mapping/preview.ts';
import { MAX_RULES } from '../../core/model/mapping/types.ts';
import type { MappingFields } from '../../core/protocol/types.ts';
import { ADDED_RULE, type MappingDraft, type RuleField, withRule } from '../state/mappingDraft.ts';
import { Segmented } from '../ui/Segmented.tsx';
import { GROUPS, MAIN_FIELDS, type Scope, TRANSCRIPT_FIELDS } from './formFields.ts';
import { PathField } from './PathField.tsx';
import { RoleFields } from './RoleFields.tsx';

interface Props {
  readonly draft: MappingDraft;
  readonly places: readonly SeenPath[];
  readonly fields: MappingFields | null;
  /** What is wrong, by field. */
  readonly faults: ReadonlyMap<string, string>;
  readonly onChange: (draft: MappingDraft) => void;
}

/** The fields of a mapping. */
export function MappingForm({ draft, places, fields, faults, onChange }: Props) {
  const [chosen, setChosen] = useState(0);
  const at = Math.min(chosen, draft.rules.length - 1);
  const add = () => {
    onChange({ ...draft, rules: [...draft.rules, ADDED_RULE] });
    setChosen(draft.rules.length);
  };
  const remove = () => onChange({ ...draft, rules: draft.rules.filter((_, i) => i !== at) });
  return (
    <div className="mapping-form">
      <h3>Messages</h3>
      <PathField
        label="Message path"
        field="at"
        value={draft.at}
        seen={places}
        fault={faults.get('at')}
        hint="$.messages[*]"
        focus
        onChange={(path) => onChange({ ...draft, at: path })}
      />
      {draft.rules.length > 1 && (
        <Segmented
          label="Messages of a record"
          value={String(at)}
          options={draft.rules.map((_, i) => ({ value: String(i), title: `Message ${i + 1}` }))}
          onChange={(value) => setChosen(Number(value))}
        />
      )}
      <RuleFields key={at} draft={draft} at={at} fields={fields} faults={faults} onChange={onChange} />
      <div className="mapping-rules">
        <button type="button" className="button" onClick={add} disabled={draft.rules.length >= MAX_RULES}>
          Add a second message per record
        </button>
        {draft.rules.length > 1 && (
          <button type="button" className="button" onClick={remove}>
            Remove message {at + 1}
          </button>
        )}
      </div>
      <Transcripts draft={draft} places={places} fields={fields} faults={faults} onChange={onChange} />
    </div>
  );
}

function RuleFields({ draft, at, fields, faults, onChange }: Omit<Props, 'places'> & { readonly at: number }) {
  const rule = draft.rules[at];
  if (rule === undefined) return null;
  const place = `messages[${at}]`;
  const offered = (scope: Scope): readonly SeenPath[] => {
    if (fields === null) return [];
    // A result without a list of its own is the message.
    return scope === 'message' || (scope === 'result' && fields.result.length === 0) ? fields.message : fields[scope];
  };
  const set = (field: RuleField, path: string) =>
    onChange(withRule(draft, at, { paths: { ...rule.paths, [field]: path } }));
  const input = ({ field, label, hint, scope }: (typeof MAIN_FIELDS)[number]) => (
    <PathField
      key={field}
      label={label}
      field={field}
      value={rule.paths[field] ?? ''}
      seen={offered(scope)}
      fault={faults.get(`${place}.${field}`)}
      {...(hint === undefined ? {} : { hint })}
      onChange={(path) => set(field, path)}
    />
  );
  return (
    <>
      <RoleFields
        rule={rule}
        seen={fields?.message ?? []}
        found={fields?.roles[at] ?? []}
        fault={faults.get(`${place}.role.path`)}
        focus={false}
        onChange={(change) => onChange(withRule(draft, at, change))}
      />
      {MAIN_FIELDS.map(input)}
      {GROUPS.map(({ title, fields: group }) => {
        const used = group.filter(({ field }) => (rule.paths[field] ?? '') !== '').length;
        return (
          <details key={title} open={used > 0 || undefined}>
            <summary>
              {title} {used > 0 && <span className="faint num">{used}</span>}
            </summary>
            {group.map(input)}
          </details>
        );
      })}
    </>
  );
}

function Transcripts({ draft, places, fields, faults, onChange }: Props) {
  const used = Object.values(draft.transcripts).filter((path) => path !== '').length;
  return (
    <details open={used > 0 || undefined}>
      <summary>Transcripts {used > 0 && <span className="faint num">{used}</span>}</summary>
      {TRANSCRIPT_FIELDS.map(({ field, label, hint }) => (
        <PathField
          key={field}
          label={label}
          field={`transcripts.${field}`}
          value={draft.transcripts[field] ?? ''}
          seen={field === 'at' ? places : ((field === 'by' ? fields?.message : fields?.transcript) ?? [])}
          fault={faults.get(`transcripts.${field}`)}
          hint={hint}
          onChange={(path) => onChange({ ...draft, transcripts: { ...draft.transcripts, [field]: path } })}
        />
      ))}
    </details>
  );
}
