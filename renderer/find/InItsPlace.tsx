import { useEffect, useMemo, useRef } from 'react';
import type { TextTrace } from '../../core/protocol/types.ts';
import { Marked } from '../ui/Marked.tsx';
import { PresenceMark } from './PresenceMark.tsx';
import { marksOfWords } from './textMarks.ts';

/** Longer texts come cut to this length, in characters. */
const CUT = 1999;

/** What is in the request where the text stood, with those of its words marked that survive in it. */
export function InItsPlace({ trace: { now, text } }: { readonly trace: TextTrace }) {
  const element = useRef<HTMLElement>(null);
  const { replacedBy, anchors, loss } = now;
  const marks = useMemo(() => {
    const words = (anchors ?? []).filter(({ present }) => present).map((anchor) => anchor.text);
    return replacedBy === null ? [] : marksOfWords(replacedBy, [text, ...words]);
  }, [replacedBy, anchors, text]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other marks, another place
  useEffect(() => {
    const first = element.current?.querySelector('mark');
    if (element.current && first) element.current.scrollTop = Math.max(0, first.offsetTop - 20);
  }, [marks]);
  if (loss === null) return null;
  if (replacedBy === null) return <p className="mute">Nothing replaced it.</p>;
  return (
    <div className="find-instead" data-testid="find-instead">
      <h3>In its place</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it */}
      <section ref={element} className="find-instead-text" tabIndex={0} aria-label="What replaced it">
        <pre className="mono">
          <Marked text={replacedBy} marks={marks} />
          {replacedBy.length >= CUT && <span className="faint">…</span>}
        </pre>
      </section>
    </div>
  );
}

/** The text's key words, each present in the request or absent. */
export function Anchors({ trace: { now } }: { readonly trace: TextTrace }) {
  const { anchors } = now;
  if (anchors === null || anchors.length === 0) return null;
  const kept = anchors.filter(({ present }) => present).length;
  return (
    <div className="find-anchors" data-testid="find-anchors">
      <h3>
        Key words{' '}
        <span className="find-how num">
          {kept} of {anchors.length} in this request
        </span>
      </h3>
      <ul aria-label="Key words">
        {anchors.map(({ text, present }) => (
          <li key={text} className="chip" data-present={present}>
            <PresenceMark state={present ? 'original' : 'gone'} label={present ? 'present' : 'absent'} />
            <span className="mono">{text}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
