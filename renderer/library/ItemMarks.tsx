import { Bookmark, CornerDownRight, StickyNote } from 'lucide-react';
import type { TagInfo, TranscriptSummary } from '../../core/protocol/types.ts';
import { plural } from '../ui/format.ts';
import { TagDot } from './TagDot.tsx';

const DOTS = 4;

interface Props {
  readonly transcript: TranscriptSummary;
  readonly tags: readonly TagInfo[];
}

/** What people put on a transcript, and whether it begins like another one. */
export function ItemMarks({ transcript, tags }: Props) {
  const { notes, bookmarks, base } = transcript;
  if (transcript.tags.length + notes + bookmarks === 0 && base === null) return null;
  return (
    <span className="item-marks">
      {base !== null && <CornerDownRight size={11} className="faint" aria-label="begins like another one" />}
      {transcript.tags.slice(0, DOTS).map((name) => (
        <TagDot key={name} color={tags.find((one) => one.name === name)?.color ?? 0} title={name} />
      ))}
      {notes > 0 && <StickyNote size={11} className="mark-note" aria-label={plural(notes, 'note')} />}
      {bookmarks > 0 && <Bookmark size={11} className="mark-bookmark" aria-label={plural(bookmarks, 'bookmark')} />}
    </span>
  );
}
