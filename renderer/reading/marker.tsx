import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef } from 'react';
import { findMarks, mergeMarks } from '../../core/search/marks.ts';
import { textPattern } from '../../core/util/textPattern.ts';
import { marksOf, type Stretch } from '../find/textMarks.ts';
import { useAppState } from '../state/context.tsx';
import { Marked } from '../ui/Marked.tsx';

type Marker = (text: string) => readonly Stretch[];

const NO_MARKS: readonly Stretch[] = [];
const NO_TERMS: readonly never[] = [];
const MarkerContext = createContext<Marker>(() => NO_MARKS);

/** Says where the text of the find bar is in a text, else the words of the search under way. */
function useMarker(): Marker {
  const find = useAppState((state) => (state.find.isOpen ? state.find : null));
  const terms = useAppState((state) => (state.search.isStepping ? state.search.terms : NO_TERMS));
  const { text: wanted = '', matchCase = false, wholeWord = false } = find ?? {};
  return useMemo(() => {
    const pattern = textPattern(wanted, { matchCase, wholeWord });
    return (text: string) => {
      const found = pattern === null ? NO_MARKS : marksOf(text, pattern);
      return found.length > 0 || terms.length === 0 ? found : mergeMarks(findMarks(text, terms));
    };
  }, [wanted, matchCase, wholeWord, terms]);
}

interface Props {
  /** The first mark is brought into sight. */
  readonly isFollowed: boolean;
  readonly children: ReactNode;
}

/** Marks what is found in every {@link Text} below, asked for once for all of them. */
export function MarkedTexts({ isFollowed, children }: Props) {
  const marker = useMarker();
  const element = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other marks, another place
  useEffect(() => {
    if (isFollowed) element.current?.querySelector('mark')?.scrollIntoView({ block: 'nearest' });
  }, [isFollowed, marker]);
  return (
    <div ref={element} className="reading">
      <MarkerContext value={marker}>{children}</MarkerContext>
    </div>
  );
}

/** A text of a message: what is found in it is marked, and what cannot be seen is there by its code. */
export function Text({ text }: { readonly text: string }) {
  const marker = useContext(MarkerContext);
  return <Marked text={text} marks={marker(text)} />;
}
