import { Bookmark } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { MarkInfo } from '../../core/protocol/types.ts';
import { printed } from '../keys/keys.ts';
import { useActions } from '../state/context.tsx';
import { usePlatform } from '../state/usePlatform.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { TIMELINE_ID } from '../ui/useFocusReturn.ts';

interface Props {
  /** The message's transcript: another may be open by the time what was typed is kept. */
  readonly id: string;
  readonly index: number;
  readonly mark: MarkInfo | null;
}

/** The note on a message: kept when the field is left, or with Ctrl/Cmd+Enter; Esc takes the change back. */
export function NoteField({ id, index, mark }: Props) {
  const { setMark } = useActions();
  const platform = usePlatform();
  const saved = mark?.note ?? '';
  const [text, setText] = useState(saved);
  const latest = useRef({ text, saved });
  latest.current = { text, saved };
  const isBookmarked = mark !== null && mark.bookmarkedAt !== null;
  const save = () => {
    if (latest.current.text.trim() === latest.current.saved) return;
    void setMark(id, index, { note: latest.current.text.trim() || null });
  };
  // Another message was selected, or the drawer closed: what was typed is not lost.
  const leave = useRef(save);
  leave.current = save;
  useEffect(() => () => leave.current(), []);
  const onKeyDown = (event: KeyboardEvent) => {
    const isDone = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
    if (!isDone && event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    if (isDone) save();
    else {
      setText(saved);
      latest.current = { text: saved, saved };
    }
    document.getElementById(TIMELINE_ID)?.focus();
  };
  return (
    <div className="note-edit">
      <div className="note-head">
        <span className="grow">
          Note on message <span className="num">#{index}</span>
        </span>
        <IconButton
          label={isBookmarked ? 'Remove bookmark' : 'Bookmark'}
          keys="M"
          isPressed={isBookmarked}
          onClick={() => void setMark(id, index, { bookmarked: !isBookmarked })}
          testId="bookmark"
        >
          <Bookmark size={14} aria-hidden fill={isBookmarked ? 'currentColor' : 'none'} />
        </IconButton>
      </div>
      <textarea
        id="note-field"
        className="field note-field"
        aria-label={`Note on message ${index}`}
        placeholder="What should be remembered about this message"
        value={text}
        maxLength={100_000}
        dir="auto"
        onChange={(event) => setText(event.target.value)}
        onBlur={save}
        onKeyDown={onKeyDown}
        data-testid="note-field"
      />
      {text.trim() !== saved && (
        <p className="faint note-keys" data-testid="note-keys">
          <kbd>{printed('mod+enter', platform)}</kbd> keeps it, <kbd>Esc</kbd> takes it back
        </p>
      )}
    </div>
  );
}
