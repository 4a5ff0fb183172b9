import { Plus, X } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useActions, useAppState } from '../state/context.tsx';
import { filterColor } from './colors.ts';

/** The named colours: a click turns one on and off, and the filter in the field is kept as one. */
export function ColorChips() {
  const { colors, text } = useAppState((state) => state.filter);
  const problems = useAppState((state) => state.projection.info?.filter?.rows?.problems ?? null);
  const { toggleColor, removeColor, openFilter } = useActions();
  const isWrong = problems?.some(({ severity }) => severity === 'error') ?? null;
  return (
    <span className="filter-colors">
      {(colors ?? []).map(({ name, filter, color, isOn }) => (
        <span key={name} className="filter-color" data-on={isOn} data-testid="filter-color" data-name={name}>
          <button
            type="button"
            className="filter-color-name"
            aria-pressed={isOn}
            title={`${filter}. Click: ${isOn ? 'off' : 'on'}; double click: into the field.`}
            onClick={() => toggleColor(name)}
            onDoubleClick={() => openFilter(filter)}
          >
            <i style={{ background: filterColor(color) }} aria-hidden /> <span className="ellipsis">{name}</span>
          </button>
          <button
            type="button"
            className="filter-color-remove"
            aria-label={`Remove the colour ${name}`}
            onClick={() => removeColor(name)}
          >
            <X size={11} aria-hidden />
          </button>
        </span>
      ))}
      {text.trim() !== '' && <SaveColor isWrong={isWrong} />}
    </span>
  );
}

/** Keeps the filter in the field under a name. What is typed stays while the filter is read again (`isWrong` null). */
function SaveColor({ isWrong }: { readonly isWrong: boolean | null }) {
  const { saveColor } = useActions();
  const [name, setName] = useState<string | null>(null);
  if (name === null) {
    if (isWrong !== false) return null;
    return (
      <button type="button" className="filter-save" data-testid="filter-save" onClick={() => setName('')}>
        <Plus size={12} aria-hidden /> Colour
      </button>
    );
  }
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '' || isWrong === true) return;
    saveColor(name.trim());
    setName(null);
  };
  return (
    <form className="filter-naming" onSubmit={save}>
      <input
        // biome-ignore lint/a11y/noAutofocus: the person has just asked to type a name
        autoFocus
        aria-label="Name of the colour"
        placeholder="Name"
        maxLength={60}
        value={name}
        data-testid="filter-name"
        onChange={({ target }) => setName(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.preventDefault();
          event.stopPropagation();
          setName(null);
        }}
      />
      <kbd aria-hidden>Enter</kbd>
    </form>
  );
}
