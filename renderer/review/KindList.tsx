import { Circle, Diamond } from 'lucide-react';
import type { ReviewDecision, ReviewInfo, ReviewKind } from '../../core/protocol/reviewTypes.ts';
import { formatCount } from '../ui/format.ts';
import { DecisionChoice } from './DecisionChoice.tsx';
import type { Decided } from './useReview.ts';
import { kindKey, kindLine } from './words.ts';

interface Props {
  readonly info: ReviewInfo;
  /** The kind whose places are shown. */
  readonly selected: string | null;
  readonly onSelect: (key: string) => void;
  readonly onDecide: (decision: ReviewDecision, of: Decided) => void;
}

/** What was found, by kind: sure finds, which are masked unless somebody says otherwise, then guesses. */
export function KindList({ info, ...rest }: Props) {
  const tiers = [
    { tier: 'definite', title: 'Definite', note: 'masked by default', all: 'Mask all' },
    { tier: 'candidate', title: 'Candidates', note: 'you decide; remembered', all: 'Mask all' },
  ] as const;
  return tiers.map(({ tier, title, note, all }) => {
    const kinds = info.kinds.filter((one) => one.tier === tier);
    if (kinds.length === 0) return null;
    const Mark = tier === 'definite' ? Diamond : Circle;
    return (
      <section key={tier} aria-label={title} className={`review-tier review-${tier}`}>
        <div className="review-tier-head">
          <Mark size={11} aria-hidden />
          <b>{title}</b>
          <span className="mute grow ellipsis">{note}</span>
          <button type="button" className="link" onClick={() => rest.onDecide('mask', { tier })}>
            {all}
          </button>
        </div>
        <ul>
          {kinds.map((one) => (
            <KindRow key={kindKey(one)} kind={one} {...rest} />
          ))}
        </ul>
      </section>
    );
  });
}

function KindRow({ kind, selected, onSelect, onDecide }: Omit<Props, 'info'> & { readonly kind: ReviewKind }) {
  const key = kindKey(kind);
  return (
    <li
      className="review-kind"
      data-testid="review-kind"
      data-kind={kind.kind}
      data-tier={kind.tier}
      data-selected={key === selected}
      data-undecided={kind.undecided > 0}
    >
      <button
        type="button"
        className="review-kind-name"
        aria-current={key === selected ? 'true' : undefined}
        onClick={() => onSelect(key)}
      >
        <span className="review-kind-title">
          <span className="ellipsis">{kind.title}</span>
          <span className="num">{formatCount(kind.count)}</span>
        </span>
        <span className="mute review-kind-line">{kindLine(kind)}</span>
      </button>
      <DecisionChoice
        name={`${kind.title}, ${kind.tier === 'definite' ? 'definite' : 'candidates'}`}
        group={kind.group}
        decision={kind.decision}
        onDecide={(decision) => onDecide(decision, { kind: kind.kind, tier: kind.tier })}
      />
    </li>
  );
}
