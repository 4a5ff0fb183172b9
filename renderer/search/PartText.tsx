import { useEffect, useRef } from 'react';
import { useFindMarks } from '../find/useFound.ts';
import { Marked } from '../ui/Marked.tsx';
import { useMarks } from './useMarks.ts';

/** A part's text in the drawer with what is searched marked; the first mark is brought into sight. */
export function PartText({ text }: { readonly text: string }) {
  const searched = useMarks(text);
  const found = useFindMarks(text);
  const marks = found.length > 0 ? found : searched;
  const element = useRef<HTMLSpanElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other marks, another place
  useEffect(() => {
    element.current?.querySelector('mark')?.scrollIntoView({ block: 'nearest' });
  }, [marks]);
  return (
    <span ref={element}>
      <Marked text={text} marks={marks} />
    </span>
  );
}
