import { Check, Minus, Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useApp, useAppState } from '../state/context.tsx';
import type { DialogProps } from '../state/dialog.ts';
import { Combobox } from '../ui/Combobox.tsx';
import { plural } from '../ui/format.ts';
import { Modal } from '../ui/Modal.tsx';
import { TagDot } from './TagDot.tsx';
import { type TagLine, tagLines } from './tagLines.ts';

/** Tags of the chosen transcripts: type to find or make one, Enter gives or takes it. */
export function TagsDialog({ dialog: { ids }, onClose }: DialogProps<'tags'>) {
  const { actions } = useApp();
  const transcripts = useAppState((state) => state.library.transcripts);
  const tags = useAppState((state) => state.library.tags);
  const [typed, setTyped] = useState('');
  const lines = useMemo(() => {
    const chosen = new Set(ids);
    const on = (transcripts ?? []).filter(({ id }) => chosen.has(id)).map((one) => one.tags);
    return tagLines(tags, on, typed);
  }, [transcripts, tags, ids, typed]);

  const apply = ({ name, state }: TagLine) => {
    void actions.applyTags(ids, state === 'all' ? [] : [name], state === 'all' ? [name] : []);
    setTyped('');
  };
  return (
    <Modal title={`Tags of ${plural(ids.length, 'transcript')}`} onClose={onClose} width={380} testId="tags-dialog">
      <Combobox
        value={typed}
        onChange={(text) => setTyped(text.replace(/,/g, ''))}
        options={lines}
        optionKey={({ name }) => name}
        onTake={apply}
        onEnter={() => typed === '' && onClose()}
        list="shown"
        listLabel="Tags"
        listClass="tags-list"
        optionProps={({ name, state }, isActive) => ({
          className: `tags-line${isActive ? ' tags-line-current' : ''}`,
          'aria-selected': state === 'all',
          'data-testid': 'tag-line',
          'data-name': name,
          'data-state': state,
        })}
        input={{
          className: 'field tags-field',
          placeholder: 'Find or create a tag',
          'aria-label': 'Find or create a tag',
          maxLength: 60,
          'data-autofocus': true,
          'data-testid': 'tags-field',
        }}
      >
        {(line) => <TagLineParts line={line} />}
      </Combobox>
      {lines.length === 0 && <p className="mute tags-list">No tags yet: type a name and press Enter.</p>}
    </Modal>
  );
}

function TagLineParts({ line: { name, state, color, count } }: { readonly line: TagLine }) {
  return (
    <>
      <span className="tags-sign">
        {state === 'all' && <Check size={13} aria-label="on all" />}
        {state === 'some' && <Minus size={13} aria-label="on some" />}
        {state === 'new' && <Plus size={13} aria-label="create" />}
      </span>
      {state !== 'new' && <ColorButton name={name} color={color} />}
      <span className="grow ellipsis">{state === 'new' ? `Create “${name}”` : name}</span>
      {state !== 'new' && <span className="num faint">{count}</span>}
    </>
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
