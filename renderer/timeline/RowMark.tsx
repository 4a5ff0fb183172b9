import { Bookmark, StickyNote } from 'lucide-react';
import { useActions, useAppState } from '../state/context.tsx';

/** The note and the bookmark on a message; a click leads to them. */
export function RowMark({ index }: { readonly index: number }) {
  const mark = useAppState((state) => state.marks.list?.find((one) => one.index === index && one.state !== 'gone'));
  const { showDrawer } = useActions();
  if (!mark) return null;
  const { note, bookmarkedAt } = mark;
  return (
    <button
      type="button"
      className="row-mark"
      tabIndex={-1}
      title={note ?? 'Bookmarked'}
      aria-label={note === null ? 'Bookmarked' : `Note: ${note}`}
      onClick={() => showDrawer('notes')}
      data-testid="row-mark"
      data-note={note !== null}
      data-bookmark={bookmarkedAt !== null}
    >
      {bookmarkedAt !== null && <Bookmark size={12} className="mark-bookmark" fill="currentColor" aria-hidden />}
      {note !== null && <StickyNote size={12} className="mark-note" aria-hidden />}
    </button>
  );
}
