import { Bookmark, BookmarkX, Trash2 } from 'lucide-react';
import type { MarkInfo } from '../../core/protocol/types.ts';
import { useActions, useAppState } from '../state/context.tsx';
import { DrawerNote } from '../ui/DrawerNote.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { Seen } from '../ui/Seen.tsx';
import { NoteField } from './NoteField.tsx';

const STATE_WORDS: Readonly<Record<MarkInfo['state'], string>> = {
  here: '',
  moved: 'the message has moved here',
  changed: 'the message has changed since',
  gone: 'the message is no longer here',
};

/** The note on the selected message, and all notes and bookmarks of the transcript. */
export function NotesTab() {
  const { list, error } = useAppState((state) => state.marks);
  const index = useAppState((state) => (state.selection?.kind === 'message' ? state.selection.index : null));
  const id = useAppState((state) => state.session.id);
  if (error) return <p className="drawer-note drawer-error">The notes could not be read: {error.message}</p>;
  if (list === null) return <DrawerNote>Reading the notes…</DrawerNote>;
  const current = list.find((mark) => mark.index === index) ?? null;
  return (
    <div className="notes" data-testid="notes">
      {index === null ? (
        <p className="mute notes-hint">Select a message to write a note on it or to bookmark it.</p>
      ) : (
        id !== null && <NoteField key={`${id} ${index}`} id={id} index={index} mark={current} />
      )}
      <ul className="notes-list" aria-label="Notes and bookmarks">
        {list.length === 0 && <li className="mute notes-hint">No notes or bookmarks in this transcript yet.</li>}
        {list.map((mark) => (
          <MarkLine key={mark.index} mark={mark} isCurrent={mark.index === index} />
        ))}
      </ul>
    </div>
  );
}

function MarkLine({ mark, isCurrent }: { readonly mark: MarkInfo; readonly isCurrent: boolean }) {
  const { goToMessage, setMark } = useActions();
  const isGone = mark.state === 'gone';
  return (
    <li className={`note-line${isCurrent ? ' note-line-current' : ''}`} data-testid="note-line" data-index={mark.index}>
      <button
        type="button"
        className="note-go"
        disabled={isGone}
        onClick={() => void goToMessage(mark.index)}
        title={mark.note ?? mark.text}
      >
        <span className="num faint">#{mark.index}</span>
        {mark.bookmarkedAt !== null && <Bookmark size={12} className="mark-bookmark" aria-label="bookmarked" />}
        <span className="mute">{mark.label}</span>
        <span className={`ellipsis grow${mark.note === null ? ' mute' : ''}`} dir="auto">
          <Seen text={mark.note ?? mark.text} />
        </span>
        {mark.state !== 'here' && <span className="note-state">{STATE_WORDS[mark.state]}</span>}
      </button>
      {mark.bookmarkedAt !== null && !isGone && (
        <IconButton
          label="Remove bookmark"
          onClick={() => void setMark(mark.transcriptId, mark.index, { bookmarked: false })}
        >
          <BookmarkX size={13} aria-hidden />
        </IconButton>
      )}
      {(mark.note !== null || isGone) && (
        <IconButton
          label={isGone ? 'Delete the mark' : 'Delete the note'}
          onClick={() =>
            void setMark(mark.transcriptId, mark.index, isGone ? { note: null, bookmarked: false } : { note: null })
          }
        >
          <Trash2 size={13} aria-hidden />
        </IconButton>
      )}
    </li>
  );
}
