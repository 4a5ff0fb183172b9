import { useState } from 'react';
import type { DifferenceLine, Provenance, RequestCause } from '../../core/protocol/types.ts';
import { useActions } from '../state/context.tsx';
import { useAnswer } from '../state/useAnswer.ts';
import { formatCount } from '../ui/format.ts';
import { Seen } from '../ui/Seen.tsx';
import { formatDifference } from './words.ts';

const PAGE = 100;

interface Props {
  readonly projectionId: string;
  /** Position among the causes. */
  readonly cause: number;
  readonly about: RequestCause | undefined;
  readonly provenance: Provenance;
}

/** The messages of one cause, as they were in the request before and are in this one. */
export function DifferenceList({ projectionId, cause, about, provenance }: Props) {
  const [to, setTo] = useState(PAGE);
  const { value, error } = useAnswer(
    'projection.changeLines',
    { projectionId, cause, from: 0, to },
    { about: projectionId },
  );
  if (error !== null)
    return <p className="drawer-note drawer-error">The difference could not be read: {error.message}</p>;
  const left = (value?.total ?? 0) - (value?.lines.length ?? 0);
  return (
    <section className="difference" aria-label="Exact difference" data-testid="difference">
      <h3>Exact difference</h3>
      {about !== undefined && about.reason !== '' && (
        <p className="mute">
          <Seen text={`${about.reason}.`} />
        </p>
      )}
      <ul>
        {value?.lines.map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list of one cause does not move
          <Line key={at} line={line} provenance={provenance} />
        ))}
      </ul>
      {left > 0 && value !== null && value.lines.length < 500 && (
        <button type="button" className="link" onClick={() => setTo(Math.min(500, to + 400))}>
          {formatCount(left)} more
        </button>
      )}
      {left > 0 && value !== null && value.lines.length >= 500 && (
        <p className="faint">{formatCount(left)} more are in the panes above.</p>
      )}
      {about !== undefined && about.rule !== null && (
        <p className="faint">
          Rule <span className="mono">{about.rule}</span>
        </p>
      )}
    </section>
  );
}

function Line({ line, provenance }: { readonly line: DifferenceLine; readonly provenance: Provenance }) {
  const { goToMessage } = useActions();
  const { index, role, before, now, tokens } = line;
  const place = index === null ? '✦' : `#${index}`;
  const texts = (
    <>
      <span className="num faint">{place}</span>
      <span className="mute">
        <Seen text={role} />
      </span>
      <span className="difference-texts">
        {before !== null && before !== now && (
          <span className="ellipsis difference-gone" data-sign="−">
            <Seen text={before} />
          </span>
        )}
        {now !== null && (
          <span className="ellipsis difference-come" data-sign="+">
            <Seen text={now} />
          </span>
        )}
      </span>
      <span className="num mute">{formatDifference(tokens, provenance)}</span>
    </>
  );
  return (
    <li>
      {index === null ? (
        <div className="difference-line">{texts}</div>
      ) : (
        <button type="button" className="difference-line" onClick={() => void goToMessage(index)}>
          {texts}
        </button>
      )}
    </li>
  );
}
