import { CircleX } from 'lucide-react';
import type { ReviewFinished } from '../../core/protocol/reviewTypes.ts';
import { plural } from '../ui/format.ts';

interface Props {
  readonly finished: ReviewFinished;
  readonly onShow: (index: number, part: number | null) => void;
}

/** The finished file still holds something that must not leave: what kind it is and where, never what it says. */
export function Stopped({ finished: { left, leftCount }, onShow }: Props) {
  return (
    <div className="review-stopped" role="alert" data-testid="review-stopped">
      <p className="finding finding-error">
        <CircleX size={15} aria-hidden />
        <span>
          <b>Stopped: this file cannot be written.</b> It was searched again, decoded, and still contains{' '}
          {plural(leftCount, 'value')} that must not be shared. Add a custom word or expression for it, or keep its
          kind.
        </span>
      </p>
      <ul>
        {left.map(({ title, place, index }) => (
          <li key={`${title} ${place}`} className="review-place-head">
            <b>{title}</b>
            <span className="mono mute ellipsis grow">{place}</span>
            {index !== null && (
              <button type="button" className="text-button" onClick={() => onShow(index, null)}>
                Show #{index} in the transcript
              </button>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
