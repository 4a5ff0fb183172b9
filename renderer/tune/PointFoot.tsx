import type { SweepInfo, SweptPoint } from '../../core/protocol/tuneTypes.ts';
import { useActions } from '../state/context.tsx';
import { plural } from '../ui/format.ts';
import { PointIcon } from './PointSign.tsx';
import { costChange, markOf, pointTitle } from './words.ts';

interface Props {
  readonly info: SweepInfo;
  readonly point: SweptPoint | null;
  readonly now: SweptPoint | null;
  readonly onApply: (point: SweptPoint) => void;
}

/** The chosen point against the policy in use, and what can be done with it. */
export function PointFoot({ info, point, now, onApply }: Props) {
  const { compareWith, setMode } = useActions();
  if (point === null) {
    return <footer className="tune-foot faint">Choose a point: arrows and Enter in the table, or a click.</footer>;
  }
  const title = pointTitle(info, point);
  const isInUse = point === now;
  return (
    <footer className="tune-foot" data-testid="tune-foot">
      <PointIcon mark={markOf(point)} />
      <span className="grow ellipsis">
        <b>{title}</b> <span className="mute num">{isInUse ? 'in use' : againstNow(point, now)}</span>
      </span>
      <button
        type="button"
        className="button"
        data-testid="tune-compare"
        disabled={isInUse}
        onClick={() => compareWith({ name: 'tuned', title, spec: point.spec })}
      >
        Compare with now
      </button>
      <button
        type="button"
        className="button"
        data-testid="tune-show"
        onClick={() => {
          if (!isInUse) onApply(point);
          setMode('timeline');
        }}
      >
        Show on the timeline
      </button>
      <button
        type="button"
        className="button button-primary"
        data-testid="tune-apply"
        disabled={isInUse}
        onClick={() => onApply(point)}
      >
        Apply
      </button>
    </footer>
  );
}

function againstNow(point: SweptPoint, now: SweptPoint | null): string {
  if (now === null) return '';
  const money = point.cost === null || now.cost === null ? [] : [costChange(point.cost, now.cost, point)];
  const uses = now.usesGone - point.usesGone;
  const kept = uses === 0 ? 'as many uses kept' : `${plural(Math.abs(uses), uses > 0 ? 'more use' : 'fewer use')} kept`;
  return `against now: ${[...money, kept].join(', ')}`;
}
