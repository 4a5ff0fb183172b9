import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useApp } from '../state/context.tsx';
import { toProtocolError } from '../state/engine.ts';
import { IconButton } from '../ui/IconButton.tsx';
import type { MappingState } from './useMapping.ts';

interface Props {
  readonly mapping: MappingState;
  /** Messages that the mapping finds. */
  readonly count: number;
  readonly onImport: (name: string) => void;
}

/** The name to save it by, and the import. */
export function MappingFooter({ mapping, count, onImport }: Props) {
  const { engine } = useApp();
  const { draft, saved, setDraft, reloadSaved, preview } = mapping;
  const [failure, setFailure] = useState<string | null>(null);
  const name = draft.name.trim();
  const known = saved.find((one) => one.name === name);
  const remove = async () => {
    try {
      await engine.call('mapping.remove', { name });
      // What is in the form stays, though it began with what is gone.
      setDraft(draft);
      reloadSaved();
      setFailure(null);
    } catch (thrown) {
      setFailure(toProtocolError(thrown).message);
    }
  };
  const isReady = preview?.preview !== null && count > 0;
  return (
    <>
      <label className="mapping-name">
        <span className="mute">Save as</span>
        <input
          data-testid="mapping-name"
          value={draft.name}
          maxLength={100}
          placeholder="a name, for files like this"
          onChange={(event) => setDraft({ ...draft, name: event.target.value })}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && isReady) onImport(name);
          }}
        />
      </label>
      {known && (
        <IconButton label={`Remove the saved mapping “${name}”`} onClick={() => void remove()}>
          <Trash2 size={14} />
        </IconButton>
      )}
      <span className="mute grow ellipsis" role="status">
        {failure ?? (known && name !== '' ? 'Replaces the saved mapping of this name.' : '')}
      </span>
      <button
        type="button"
        className="button button-primary"
        data-testid="mapping-import"
        disabled={!isReady}
        onClick={() => onImport(name)}
      >
        {name === '' ? 'Import' : 'Save and import'}
      </button>
    </>
  );
}
