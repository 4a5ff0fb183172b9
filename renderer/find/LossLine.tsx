import type { TextLoss } from '../../core/protocol/types.ts';
import { useActions } from '../state/context.tsx';
import { lossWords } from './words.ts';

interface Props {
  readonly loss: TextLoss;
  readonly title: string;
  /** The reason already given above: not said twice. */
  readonly saidReason?: string;
}

/** Where a text was lost: call point, stage, rule, reason. */
export function LossLine({ loss, title, saidReason }: Props) {
  const { setAt } = useActions();
  const words = lossWords(loss.reason === saidReason ? { ...loss, reason: '' } : loss);
  return (
    <p className="find-loss" data-testid="find-loss">
      <b>{title}</b>{' '}
      <button type="button" className="link num" onClick={() => setAt(loss.at)}>
        call #{loss.at}
      </button>{' '}
      <span className="mute">
        turn {loss.turn}
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
