import type { Row } from '../../core/protocol/types.ts';
import { useAppState } from '../state/context.tsx';
import { leadFrom } from './lead.ts';
import { Marked } from './Marked.tsx';
import { useMarks } from './useMarks.ts';

/** Characters kept before what was found: of a narrow pane's line half. */
const BEFORE = 12;

/** A row's text with what is searched marked. In the row of the current hit it begins shortly before the hit. */
export function FoundText({ row, text }: { readonly row: Row; readonly text: string }) {
  const hit = useAppState(({ search, session }) => {
    const current = search.isStepping ? search.hits[search.selected] : undefined;
    const isHere = current?.transcriptId === session.id && current.index === row.index && current.part === row.part;
    return isHere ? current : null;
  });
  const marks = useMarks(text);
  const snippet = hit?.snippet ?? null;
  const first = snippet?.marks[0];
  // A stage may have put another text in its place.
  const isRaw = text === row.raw?.text;
  if (snippet === null || first === undefined || !isRaw) return <Marked text={text} marks={marks} />;
  const from = leadFrom(snippet.text, first.start, BEFORE);
  const shifted = snippet.marks.map(({ start, end }) => ({ start: start - from, end: end - from }));
  return (
    <>
      {(from > 0 || snippet.cutBefore) && '…'}
      <Marked text={snippet.text.slice(from)} marks={shifted} />
    </>
  );
}
