import { Check, Minus, Plus } from 'lucide-react';
import { type KeyboardEvent, useMemo, useState } from 'react';
import { useApp, useAppState } from '../state/context.tsx';
import { plural } from '../ui/format.ts';
import { Modal } from '../ui/Modal.tsx';
import { targets } from './commands.ts';
import { TagDot } from './TagDot.tsx';
import { tagLines } from './tagLines.ts';

/** Tags of the chosen transcripts: type to find or make one, Enter gives or takes it. */
export function TagsDialog({ onClose }: { readonly onClose: () => void }) {
  const { store, actions } = useApp();
  // What it is for does not change while it is open.
  const [ids] = useState(() => targets(store.getState()));
  const transcripts = useAppState((state) => state.library.transcripts);
  const tags = useAppState((state) => state.library.tags);
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const lines = useMemo(() => {
    const chosen = new Set(ids);
    const on = (transcripts ?? []).filter(({ id }) => chosen.has(id)).map((one) => one.tags);
    return tagLines(tags, on, typed);
  }, [transcripts, tags, ids, typed]);
  const line = lines[Math.min(at, lines.length - 1)];

  const apply = (chosen: (typeof lines)[number] | undefined) => {
    if (!chosen) return;
    const names = [chosen.name];
    void actions.applyTags(ids, chosen.state === 'all' ? [] : names, chosen.state === 'all' ? names : []);
    setTyped('');
    setAt(0);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const delta = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (delta !== undefined) setAt(Math.max(0, Math.min(lines.length - 1, at + delta)));
    else if (event.key === 'Escape' && typed !== '') setTyped('');
    else if (event.key === 'Enter' && typed === '' && lines.length === 0) onClose();
    else if (event.key === 'Enter') apply(line);
    else return;
    event.preventDefault();
  };

  return (
    <Modal title={`Tags of ${plural(ids.length, 'transcript')}`} onClose={onClose} width={380} testId="tags-dialog">
      <input
        className="field tags-field"
        placeholder="Find or create a tag"
        aria-label="Find or create a tag"
        role="combobox"
        aria-expanded={typed !== ''}
        aria-controls="tags-list"
        aria-activedescendant={line ? `tag-${line.name}` : undefined}
        value={typed}
        maxLength={60}
        data-autofocus
        onChange={(event) => {
          setTyped(event.target.value.replace(/,/g, ''));
          setAt(0);
        }}
        onKeyDown={onKeyDown}
        data-testid="tags-field"
      />
      {lines.length === 0 && <p className="mute tags-list">No tags yet: type a name and press Enter.</p>}
      <div id="tags-list" className="tags-list" role="listbox" aria-label="Tags" hidden={lines.length === 0}>
        {lines.map((one) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
          // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus
          <div
            key={one.name}
            id={`tag-${one.name}`}
            className={`tags-line${one === line ? ' tags-line-current' : ''}`}
            role="option"
            aria-selected={one.state === 'all'}
            onClick={() => apply(one)}
            data-testid="tag-line"
            data-name={one.name}
            data-state={one.state}
          >
            <span className="tags-sign">
              {one.state === 'all' && <Check size={13} aria-label="on all" />}
              {one.state === 'some' && <Minus size={13} aria-label="on some" />}
              {one.state === 'new' && <Plus size={13} aria-label="create" />}
            </span>
            {one.state !== 'new' && <ColorButton name={one.name} color={one.color} />}
            <span className="grow ellipsis">{one.state === 'new' ? `Create “${one.name}”` : one.name}</span>
            {one.state !== 'new' && <span className="num faint">{one.count}</span>}
          </div>
        ))}
      </div>
    </Modal>
  );
}

function ColorButton({ name, color }: { readonly name: string; readonly color: number }) {
  const { actions } = useApp();
  return (
    <button
      type="button"
      className="tag-color"
      tabIndex={-1}
      aria-label={`Another colour for ${name}`}
      title="Another colour"
      onClick={(event) => {
        event.stopPropagation();
        void actions.setTagColor(name, (color + 1) % 8);
      }}
    >
      <TagDot color={color} />
    </button>
  );
}
