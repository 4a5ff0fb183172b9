import { X } from 'lucide-react';
import { useId } from 'react';
import type { StageSpec } from '../../core/projection/types.ts';
import type { ParamSchema } from '../../core/view/types.ts';
import { givenValue, setOption } from '../state/editSpec.ts';
import { useGesture, usePolicyEdit } from '../state/usePolicyEdit.ts';
import { entriesIn, shownEntry, withMessage, withoutEntry, withText } from './pendingEntries.ts';

interface Props {
  readonly stage: StageSpec;
  readonly at: number;
  readonly param: ParamSchema;
}

/** What would the model see if I asked this now? The text is part of the request, not of the transcript. */
export function PendingField({ stage, at, param }: Props) {
  const edit = usePolicyEdit();
  const gesture = useGesture();
  const id = useId();
  const given = givenValue(stage, param);
  const entries = entriesIn(given);
  const set = (value: string | readonly unknown[], history: 'push' | 'replace') =>
    edit((spec) => setOption(spec, at, param, value), history);
  return (
    <div className="pending-field">
      <span className="pending-head">
        <label id={`${id}-label`} htmlFor={id} className="mute" title={param.help}>
          Pending input
        </label>
        <button
          type="button"
          className="link"
          data-testid="pending-add"
          onClick={() => set(withMessage(given), 'push')}
        >
          Add message
        </button>
      </span>
      {entries === null ? (
        <textarea
          id={id}
          className="field"
          data-testid="pending"
          rows={2}
          placeholder="What would the model see if I asked this now?"
          value={typeof given === 'string' ? given : ''}
          onBlur={gesture.end}
          onChange={(event) => set(event.target.value, gesture.next())}
        />
      ) : (
        <ol id={id} className="pending-entries" aria-labelledby={`${id}-label`}>
          {entries.map((entry, place) => (
            <PendingEntry
              // An entry has no name: its place is what it is known by.
              // biome-ignore lint/suspicious/noArrayIndexKey: see above
              key={place}
              entry={entry}
              place={place}
              onText={(text) => set(withText(entries, place, text), gesture.next())}
              onEnd={gesture.end}
              onRemove={() => set(withoutEntry(entries, place), 'push')}
            />
          ))}
        </ol>
      )}
    </div>
  );
}

interface EntryProps {
  readonly entry: unknown;
  readonly place: number;
  readonly onText: (text: string) => void;
  readonly onEnd: () => void;
  readonly onRemove: () => void;
}

function PendingEntry({ entry, place, onText, onEnd, onRemove }: EntryProps) {
  const { label, text, json } = shownEntry(entry);
  const name = `Pending ${place + 1}, ${label}`;
  return (
    <li data-testid="pending-entry">
      <span className="pending-head">
        <span className="mono mute">{label}</span>
        <button type="button" className="pending-remove" aria-label={`Remove ${name}`} onClick={onRemove}>
          <X size={11} aria-hidden />
        </button>
      </span>
      {text === null ? (
        <code className="ellipsis" title={json}>
          {json}
        </code>
      ) : (
        <textarea
          className="field"
          aria-label={name}
          rows={2}
          value={text}
          onBlur={onEnd}
          onChange={(event) => onText(event.target.value)}
        />
      )}
    </li>
  );
}
