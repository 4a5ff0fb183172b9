import { useState } from 'react';
import type { ReviewDecision, ReviewInfo, ReviewKind, ReviewPlace } from '../../core/protocol/reviewTypes.ts';
import { useAnswer } from '../state/useAnswer.ts';
import { formatCount, plural } from '../ui/format.ts';
import { PlaceCard } from './PlaceCard.tsx';
import type { Decided } from './useReview.ts';

interface Props {
  readonly info: ReviewInfo;
  readonly kind: ReviewKind;
  readonly onDecide: (decision: ReviewDecision, of: Decided) => void;
  readonly onShow: (index: number, part: number | null) => void;
}

/** Places of one answer of the engine. */
const PAGE = 60;
const KEYS: Readonly<Record<string, ReviewDecision>> = { m: 'mask', k: 'keep', x: 'take_out' };

/** The places of a kind, a page at a time: what is there, and what goes out. N goes to the next, M, K and X decide. */
export function Places({ info, kind, onDecide, onShow }: Props) {
  const [from, setFrom] = useState(0);
  const { reviewId, version } = info;
  const question = { reviewId, kind: kind.kind, tier: kind.tier, from, to: from + PAGE };
  const { value, error } = useAnswer('review.places', question, {
    about: `${reviewId} ${kind.kind} ${kind.tier}`,
    again: [version],
  });
  if (error !== null && value === null)
    return <p className="drawer-error">The places could not be read: {error.message}</p>;
  if (value === null) return <p className="faint review-wait">Reading…</p>;
  const { places, total } = value;
  const decide = (decision: ReviewDecision, { value: number }: ReviewPlace) => onDecide(decision, { value: number });
  return (
    <>
      <ul
        className="review-places"
        data-testid="review-places"
        onKeyDown={(event) => {
          if (event.ctrlKey || event.metaKey || event.altKey) return;
          const card = event.target instanceof HTMLElement ? event.target.closest('[data-place]') : null;
          const place = places[Number(card?.getAttribute('data-place'))];
          if (card === null || place === undefined) return;
          const decision = KEYS[event.key];
          if (event.key === 'n') next(card, 1);
          else if (event.key === 'p') next(card, -1);
          else if (decision !== undefined)
            decide(kind.group === 'unreadable' && decision === 'mask' ? 'take_out' : decision, place);
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      >
        {places.map((place, at) => (
          <PlaceCard
            // biome-ignore lint/suspicious/noArrayIndexKey: a page of places is replaced as a whole
            key={from + at}
            number={at}
            reviewId={reviewId}
            place={place}
            kind={kind}
            onDecide={(decision) => decide(decision, place)}
            onShow={onShow}
          />
        ))}
      </ul>
      <div className="review-places-foot">
        <span className="mute">
          {formatCount(Math.min(from + 1, total))} to {formatCount(Math.min(from + PAGE, total))} of{' '}
          {plural(total, 'place')}
        </span>
        {from > 0 && (
          <button type="button" className="text-button" onClick={() => setFrom(Math.max(0, from - PAGE))}>
            Previous
          </button>
        )}
        {from + PAGE < total && (
          <button type="button" className="text-button" onClick={() => setFrom(from + PAGE)}>
            Next {PAGE}
          </button>
        )}
        <span className="grow" />
        <span className="mute review-keys">
          <kbd>N</kbd> next <kbd>M</kbd> mask <kbd>K</kbd> keep <kbd>X</kbd> take out
        </span>
      </div>
    </>
  );
}

function next(card: Element, step: 1 | -1): void {
  const other = step === 1 ? card.nextElementSibling : card.previousElementSibling;
  other?.querySelector<HTMLElement>('.review-place-show')?.focus();
}
