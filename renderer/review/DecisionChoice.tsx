import type { ReviewDecision, ReviewKind } from '../../core/protocol/reviewTypes.ts';
import { Segmented } from '../ui/Segmented.tsx';
import { decisionsFor, isDecision } from './words.ts';

interface Props {
  /** What is decided about, for those who hear it. */
  readonly name: string;
  readonly group: ReviewKind['group'];
  readonly decision: ReviewDecision | 'mixed' | null;
  readonly onDecide: (decision: ReviewDecision) => void;
}

/** What is done with a value, or with all of a kind; none is pressed while that is undecided or not the same for all. */
export function DecisionChoice({ name, group, decision, onDecide }: Props) {
  return (
    <Segmented
      label={`What happens to ${name}`}
      value={decision ?? ''}
      options={decisionsFor(group)}
      onChange={(next) => isDecision(next) && onDecide(next)}
    />
  );
}
