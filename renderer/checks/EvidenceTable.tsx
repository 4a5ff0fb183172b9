import { useState } from 'react';
import type { CheckedEvidence } from '../../core/protocol/checkTypes.ts';
import { useActions, useAppState } from '../state/context.tsx';
import { formatCount } from '../ui/format.ts';
import { moveFocus } from '../ui/moveFocus.ts';
import { Seen } from '../ui/Seen.tsx';

type Place = CheckedEvidence['places'][number];

/** Characters of an excerpt before the text: it is to be in sight. */
const BEFORE = 10;

/** Places at first: what would make the rule pass is below them. */
const SHOWN = 12;

const BETWEEN_PLACES = moveFocus('.checks-place');

/** Where what was found is: a message or a request each; Enter shows it on the timeline. */
export function EvidenceTable({ evidence: { places, more } }: { readonly evidence: CheckedEvidence }) {
  const { goToMessage, setAt, setMode } = useActions();
  const [isWhole, setWhole] = useState(false);
  const messages = useAppState((state) => state.session.info?.messages ?? 0);
  if (places.length === 0) return null;
  const show = ({ index, at }: Place): void => {
    setMode('timeline');
    if (at !== null) setAt(at >= messages ? null : at);
    if (index !== null) void goToMessage(index);
  };
  return (
    <section className="checks-evidence" aria-label="Evidence">
      <h4>
        Evidence <span className="mute">Enter shows it on the timeline</span>
      </h4>
      <ul onKeyDown={BETWEEN_PLACES} data-testid="checks-evidence">
        {places.slice(0, isWhole ? undefined : SHOWN).map((place, number) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole
          <li key={number}>
            <button
              type="button"
              className="checks-place"
              data-testid="checks-place"
              disabled={place.index === null && place.at === null}
              onClick={() => show(place)}
            >
              <span className="num mono checks-where">{whereText(place)}</span>
              <span className="checks-what">
                <Seen text={place.what} />
              </span>
              <span className="checks-excerpt mono">{place.excerpt && <Excerpt excerpt={place.excerpt} />}</span>
              <span className="num mute checks-at-line">
                {place.line === null ? '' : `line ${formatCount(place.line)}`}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {!isWhole && places.length > SHOWN && (
        <button type="button" className="link" onClick={() => setWhole(true)}>
          Show all {formatCount(places.length)}
        </button>
      )}
      {(isWhole || places.length <= SHOWN) && more > 0 && <p className="mute">And {formatCount(more)} more.</p>}
    </section>
  );
}

function whereText({ index, at }: Place): string {
  if (index !== null) return `#${index}`;
  return at === null ? '' : `call #${at}`;
}

function Excerpt({ excerpt: { text, start, length } }: { readonly excerpt: NonNullable<Place['excerpt']> }) {
  return (
    <>
      <Seen text={text.slice(Math.max(0, start - BEFORE), start)} />
      <mark>
        <Seen text={text.slice(start, start + length)} />
      </mark>
      <Seen text={text.slice(start + length)} />
    </>
  );
}
