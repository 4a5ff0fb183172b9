import type { Row } from '../../core/protocol/types.ts';
import { useFindMarks, useFindPlace } from '../find/useFound.ts';
import { useAppState } from '../state/context.tsx';
import { leadFrom } from '../ui/lead.ts';
import { Marked } from '../ui/Marked.tsx';
import { useMarks } from './useMarks.ts';

/** Characters kept before what was found: of a narrow pane's line half. */
const BEFORE = 12;

/** A row's text with what is looked for marked, and begun shortly before it where it would be out of sight. */
export function FoundText({ row, text }: { readonly row: Row; readonly text: string }) {
  const hit = useAppState(({ search, session }) => {
    const current = search.isStepping ? search.hits[search.selected] : undefined;
    const isHere = current?.transcriptId === session.id && current.index === row.index && current.part === row.part;
    return isHere ? current : null;
  });
  const searched = useMarks(text);
  const found = useFindMarks(text);
  const place = useFindPlace(row);
  const snippet = hit?.snippet ?? null;
  // A stage may have put another text in its place.
  const isRaw = text === row.raw?.text;
  const first = snippet?.marks[0];
  if (isRaw && snippet !== null && first !== undefined)
    return <Cut text={snippet.text} marks={snippet.marks} isCut={snippet.cutBefore} />;
  if (found.length > 0) return <Cut text={text} marks={found} isCut={false} />;
  // Farther in than the row's own text goes.
  if ((isRaw || row.kind === 'synthetic') && place !== null)
    return <Cut text={place.context} marks={[{ start: place.start, end: place.start + place.length }]} isCut={true} />;
  return <Marked text={text} marks={searched} />;
}

interface CutProps {
  readonly text: string;
  readonly marks: readonly { readonly start: number; readonly end: number }[];
  /** The text is itself cut at its beginning. */
  readonly isCut: boolean;
}

/** A text from shortly before its first mark on. */
function Cut({ text, marks, isCut }: CutProps) {
  const from = leadFrom(text, marks[0]?.start ?? 0, BEFORE);
  return (
    <>
      {(from > 0 || isCut) && '…'}
      <Marked
        text={text.slice(from)}
        marks={marks.map(({ start, end }) => ({ start: start - from, end: end - from }))}
      />
    </>
  );
}
