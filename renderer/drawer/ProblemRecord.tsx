import { useEffect, useMemo, useRef, useState } from 'react';
import type { ProblemPlace } from '../../core/model/problem.ts';
import type { ProtocolError } from '../../core/protocol/methods.ts';
import { useAppState } from '../state/context.tsx';
import { useAnswer } from '../state/useAnswer.ts';
import { excerptLimit, excerptOf, faultOf } from './excerpt.ts';

/** The line a problem is about, as the file has it, with the place marked. Read once it comes into sight. */
export function ProblemRecord({ where }: { readonly where: ProblemPlace & { readonly byteStart: number } }) {
  const id = useAppState((state) => state.session.id);
  const { byteStart, column } = where;
  const { element, isSeen } = useSeen(`${id} ${byteStart}`);
  const asked = isSeen && id !== null ? { id, byteStart, limit: excerptLimit(column) } : null;
  const { value, error } = useAnswer('record.at', asked);
  const excerpt = useMemo(
    () => value && excerptOf(value.text, column === undefined ? null : faultOf(value.text), value.truncated),
    [value, column],
  );
  if (error) return <span className="problem-record faint">{describeFailure(error)}</span>;
  return (
    <span ref={element} className="problem-record mono ellipsis" data-testid="problem-record">
      {excerpt?.before}
      {excerpt && <mark>{excerpt.at === '' && excerpt.before !== '' ? ' ' : excerpt.at}</mark>}
      {excerpt?.after}
    </span>
  );
}

/** Whether an element has come into sight since `what` it shows was another. */
function useSeen(what: string) {
  const element = useRef<HTMLSpanElement>(null);
  const [seen, setSeen] = useState<string | null>(null);
  useEffect(() => {
    if (!element.current) return;
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      setSeen(what);
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [what]);
  return { element, isSeen: seen === what };
}

// Not every place is the beginning of a record: of a stretch that could not be held there is no text.
function describeFailure({ code, message }: ProtocolError): string {
  return code === 'record.unknown' ? 'The text of this place is not kept.' : message;
}
