import { useState } from 'react';
import type { ReviewDecision, ReviewKind, ReviewPlace, ReviewTexts } from '../../core/protocol/reviewTypes.ts';
import { Picture } from '../parts/PartImage.tsx';
import { useAnswer } from '../state/useAnswer.ts';
import { formatBytes, formatCount } from '../ui/format.ts';
import { Seen } from '../ui/Seen.tsx';
import { DecisionChoice } from './DecisionChoice.tsx';
import { placeName } from './words.ts';

interface Props {
  readonly number: number;
  readonly reviewId: string;
  readonly place: ReviewPlace;
  readonly kind: ReviewKind;
  readonly onDecide: (decision: ReviewDecision) => void;
  readonly onShow: (index: number, part: number | null) => void;
}

/** One place: where it is, what is there, what goes out. */
export function PlaceCard({ number, reviewId, place, kind, onDecide, onShow }: Props) {
  const { index, part, where, before, out, decision, count, image } = place;
  const isReadable = kind.group !== 'unreadable';
  return (
    <li className="review-place" data-place={number} data-testid="review-place" data-decision={decision ?? 'undecided'}>
      <div className="review-place-head">
        <button
          type="button"
          className="review-place-show"
          disabled={index === null}
          title={index === null ? 'It is not in a message' : 'Show it in the transcript'}
          onClick={() => index !== null && onShow(index, part)}
        >
          {placeName(place)}
        </button>
        <span className="mute ellipsis grow">{where}</span>
        {count > 1 && <span className="faint">in {formatCount(count)} places</span>}
        <DecisionChoice
          name={`this value, ${placeName(place)}`}
          group={kind.group}
          decision={decision}
          onDecide={onDecide}
        />
      </div>
      {isReadable && (
        <dl className="review-lines">
          <Line name="before" texts={before} mark="review-before" />
          {decision === null ? (
            <>
              <dt>goes out</dt>
              <dd className="mute">undecided: nothing is written before you decide</dd>
            </>
          ) : out === null ? (
            <>
              <dt>goes out</dt>
              <dd className="mute">the whole text is taken out; words of the same length replace it</dd>
            </>
          ) : (
            <Line name="goes out" texts={out} mark={decision === 'keep' ? 'review-kept' : 'review-after'} />
          )}
        </dl>
      )}
      {!isReadable && (
        <p className="mute review-lines">
          {image === null ? 'It cannot be searched' : `${sizeOf(image)}, not searched`};{' '}
          {decision === 'keep' ? 'it goes out as it is' : 'something of the same size replaces it'}
        </p>
      )}
      {image !== null && (
        <div className="review-picture">
          <Shown reviewId={reviewId} value={place.value} />
        </div>
      )}
    </li>
  );
}

function sizeOf({ bytes, width, height }: NonNullable<ReviewPlace['image']>): string {
  const pixels = width === null || height === null ? '' : `${formatCount(width)} × ${formatCount(height)} pixels, `;
  return `${pixels}${formatBytes(bytes)}`;
}

function Line({ name, texts, mark }: { readonly name: string; readonly texts: ReviewTexts; readonly mark: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd className="mono">
        <Seen text={texts.lead} />
        <mark className={mark}>
          <Seen text={texts.value} />
        </mark>
        <Seen text={texts.tail} />
      </dd>
    </>
  );
}

// A picture is read when somebody wants to look at it.
function Shown({ reviewId, value }: { readonly reviewId: string; readonly value: number }) {
  const [isWanted, setWanted] = useState(false);
  const { value: image, error } = useAnswer('review.image', isWanted ? { reviewId, value } : null);
  if (!isWanted) {
    return (
      <button type="button" className="text-button" onClick={() => setWanted(true)}>
        Look at it
      </button>
    );
  }
  if (error !== null) return <p className="drawer-error">{error.message}</p>;
  if (image === null) return <p className="faint">Reading the image…</p>;
  return <Picture mime={image.mime} base64={image.base64} bytes={Math.floor((image.base64.length * 3) / 4)} />;
}
