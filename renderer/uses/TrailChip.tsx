import './uses.css';
import { PresenceMark } from '../find/PresenceMark.tsx';
import { useAppState } from '../state/context.tsx';
import { trailMarkAt } from '../state/trailMarks.ts';
import { describeMark } from './trail.ts';

/** On a row: that it is on the trail of the selected message, and whether what was used was in the request. */
export function TrailChip({ index, part }: { readonly index: number; readonly part: number }) {
  const of = useAppState(({ trail }) => trail.of);
  const mark = useAppState(({ trail }) => trailMarkAt(trail, index, part));
  const isStart = useAppState(({ trail }) => trail.step !== null && trail.of === index && trail.step !== index);
  if (of === null) return null;
  if (isStart && part === 0) {
    return (
      <span
        className="trail-chip trail-start num"
        title="The marks are those of this message"
        data-testid="trail-start"
      >
        trail of #{of}
      </span>
    );
  }
  if (mark === undefined) return null;
  const words = describeMark(mark, of);
  return (
    <span
      className="trail-chip num"
      title={words}
      data-testid="trail-chip"
      data-side={mark.side}
      data-outcome={mark.outcome ?? 'unknown'}
    >
      <TrailSign outcome={mark.outcome} />
      <span className="trail-words" aria-hidden>
        {mark.side === 'source' ? 'used by' : 'uses'} #{of}
      </span>
      <span className="visually-hidden">{words}</span>
    </span>
  );
}

/** Shape and colour of an outcome; a dashed ring where it is not known yet. */
function TrailSign({ outcome }: { readonly outcome: 'original' | 'elsewhere' | 'gone' | null }) {
  return (
    <span className="trail-sign" aria-hidden>
      {outcome === null ? (
        <svg className="presence" viewBox="0 0 10 10" aria-hidden="true">
          <circle cx="5" cy="5" r="3.6" className="trail-unknown" />
        </svg>
      ) : (
        <PresenceMark state={outcome} />
      )}
    </span>
  );
}
