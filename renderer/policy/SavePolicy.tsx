import { Pencil, Trash2 } from 'lucide-react';
import { Popover } from 'radix-ui';
import { type FormEvent, useState } from 'react';
import { useAskedSpec } from '../state/askedSpec.ts';
import { useActions, useAppState } from '../state/context.tsx';

interface Props {
  /** Name it would be saved under again; empty if it was not saved yet. */
  readonly suggested: string;
}

/** Saves the policy under a name; renames and deletes those saved before. */
export function SavePolicy({ suggested }: Props) {
  const { savePolicy } = useActions();
  const saved = useAppState((state) => state.savedPolicies);
  const spec = useAskedSpec();
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState('');
  const isTaken = saved?.some((one) => one.name === name.trim()) ?? false;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '' || saved === null) return;
    savePolicy(name.trim(), spec);
    setOpen(false);
  };
  return (
    <Popover.Root
      open={isOpen}
      onOpenChange={(next) => {
        setOpen(next);
        if (next) setName(suggested);
      }}
    >
      <Popover.Trigger className="text-button" data-testid="save-policy">
        Save
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content className="popover" align="end" sideOffset={6} collisionPadding={8}>
          <form className="save-form" onSubmit={submit}>
            <label htmlFor="policy-name">Save this policy as</label>
            <div className="save-line">
              <input
                id="policy-name"
                className="field"
                value={name}
                placeholder="Name"
                maxLength={80}
                autoComplete="off"
                data-testid="policy-name"
                onChange={(event) => setName(event.target.value)}
              />
              <button type="submit" className="button button-primary" disabled={name.trim() === '' || saved === null}>
                {isTaken ? 'Replace' : 'Save'}
              </button>
            </div>
          </form>
          {saved !== null && saved.length > 0 && (
            <ul className="saved-list" aria-label="Saved policies">
              {saved.map((one) => (
                <SavedLine key={one.name} name={one.name} />
              ))}
            </ul>
          )}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function SavedLine({ name }: { readonly name: string }) {
  const { renamePolicy, removePolicy } = useActions();
  const [mode, setMode] = useState<'show' | 'rename' | 'delete'>('show');
  const [draft, setDraft] = useState(name);
  if (mode === 'rename') {
    return (
      <li>
        <form
          className="save-line"
          onSubmit={(event) => {
            event.preventDefault();
            if (draft.trim() !== '') renamePolicy(name, draft.trim());
            setMode('show');
          }}
        >
          <input
            className="field"
            aria-label={`New name of ${name}`}
            value={draft}
            maxLength={80}
            // biome-ignore lint/a11y/noAutofocus: the person asked to type here
            autoFocus
            onChange={(event) => setDraft(event.target.value)}
          />
          <button type="submit" className="button">
            Rename
          </button>
        </form>
      </li>
    );
  }
  if (mode === 'delete') {
    return (
      <li className="save-line">
        <span className="grow ellipsis">Delete “{name}”?</span>
        <button type="button" className="button button-danger" onClick={() => removePolicy(name)}>
          Delete
        </button>
        <button type="button" className="button" onClick={() => setMode('show')}>
          Keep
        </button>
      </li>
    );
  }
  return (
    <li className="save-line">
      <span className="grow ellipsis">{name}</span>
      <button type="button" className="icon-button" aria-label={`Rename ${name}`} onClick={() => setMode('rename')}>
        <Pencil size={13} aria-hidden />
      </button>
      <button type="button" className="icon-button" aria-label={`Delete ${name}`} onClick={() => setMode('delete')}>
        <Trash2 size={13} aria-hidden />
      </button>
    </li>
  );
}
