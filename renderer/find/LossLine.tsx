import type { TextLoss } from '../../core/protocol/types.ts';
import { useActions } from '../state/context.tsx';
import { lossWords } from './words.ts';

/** Where a text was lost: call point, stage, rule, reason. */
export function LossLine({ loss, title }: { readonly loss: TextLoss; readonly title: string }) {
  const { setAt } = useActions();
  const words = lossWords(loss);
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
