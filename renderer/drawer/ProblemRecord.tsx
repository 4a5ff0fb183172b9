import { useEffect, useRef, useState } from 'react';
import type { ProblemPlace } from '../../core/model/problem.ts';
import { useApp, useAppState } from '../state/context.tsx';
import { toProtocolError } from '../state/engine.ts';
import { type Excerpt, excerptLimit, excerptOf, faultOf } from './excerpt.ts';

type Read = { readonly kind: 'text'; readonly excerpt: Excerpt } | { readonly kind: 'failed'; readonly text: string };

/** The line a problem is about, as the file has it, with the place marked. Read once it comes into sight. */
export function ProblemRecord({ where }: { readonly where: ProblemPlace & { readonly byteStart: number } }) {
  const { engine } = useApp();
  const id = useAppState((state) => state.session.id);
  const element = useRef<HTMLSpanElement>(null);
  const [read, setRead] = useState<Read | null>(null);
  const { byteStart, column } = where;
  useEffect(() => {
    const seen = element.current;
    setRead(null);
    if (!seen || id === null) return;
    let isWanted = true;
    const load = () =>
      engine.call('record.at', { id, byteStart, limit: excerptLimit(column) }).then(
        ({ text, truncated }) => {
          const fault = column === undefined ? null : faultOf(text);
          if (isWanted) setRead({ kind: 'text', excerpt: excerptOf(text, fault, truncated) });
        },
        (thrown: unknown) => isWanted && setRead(failed(thrown)),
      );
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      void load();
    });
    observer.observe(seen);
    return () => {
      isWanted = false;
      observer.disconnect();
    };
  }, [engine, id, byteStart, column]);
  if (read?.kind === 'failed') return <span className="problem-record faint">{read.text}</span>;
  const excerpt = read?.excerpt;
  return (
    <span ref={element} className="problem-record mono ellipsis" data-testid="problem-record">
      {excerpt?.before}
      {excerpt && <mark>{excerpt.at === '' && excerpt.before !== '' ? ' ' : excerpt.at}</mark>}
      {excerpt?.after}
    </span>
  );
}

// Not every place is the beginning of a record: of a stretch that could not be held there is no text.
function failed(thrown: unknown): Read {
  const { code, message } = toProtocolError(thrown);
  return { kind: 'failed', text: code === 'record.unknown' ? 'The text of this place is not kept.' : message };
}
