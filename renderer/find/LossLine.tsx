import type { TextLoss } from '../../core/protocol/types.ts';
import { useActions } from '../state/context.tsx';
import { describeLoss } from './words.ts';

interface Props {
  readonly loss: TextLoss;
  /** `Original`: why it is not where it was said; since when is said above. */
  readonly title: 'First lost at' | 'Original';
  /** The reason stands above already: stage and rule are enough. */
  readonly isSaid: boolean;
}

/** Where a text was lost: call point, stage, rule, reason. */
export function LossLine({ loss, title, isSaid }: Props) {
  const { setAt } = useActions();
  const words = describeLoss(isSaid ? { ...loss, reason: '' } : loss);
  return (
    <p className="find-loss" data-testid="find-loss">
      <b>{title}</b>{' '}
      {title === 'First lost at' && (
        <button type="button" className="link num" onClick={() => setAt(loss.at)}>
          call #{loss.at}
        </button>
      )}{' '}
      <span className="mute">
        {title === 'First lost at' ? `turn ${loss.turn}` : loss.place}
        {words !== '' && ` · ${words}`}
        {loss.rule !== null && (
          <>
            {' · rule '}
            <span className="mono">{loss.rule}</span>
          </>
        )}
      </span>
    </p>
  );
}
