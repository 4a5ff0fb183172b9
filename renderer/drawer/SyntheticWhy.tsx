import { formatCount, plural } from '../ui/format.ts';
import { Seen } from '../ui/Seen.tsx';
import './why.css';
import type { SyntheticDetail } from '../../core/protocol/types.ts';
import { useActions, useAppState } from '../state/context.tsx';
import { FATE_GLYPH, fateColor } from '../ui/fate.ts';

/** Which stage wrote a message, and what it stands for. */
export function SyntheticWhy({ synthetic }: { readonly synthetic: SyntheticDetail }) {
  const { goToMessage } = useActions();
  const before = useAppState((state) => state.projection.info?.at ?? 0);
  const { from, to } = synthetic.covers;
  const count = to - from;
  return (
    <div className="why why-synthetic" data-testid="why">
      <div className="why-main">
        <p className="why-sentence">
          <span aria-hidden style={{ color: fateColor('synthetic') }}>
            {FATE_GLYPH.synthetic}
          </span>{' '}
          <b>
            Written by stage {synthetic.stage + 1}, {synthetic.stageTitle}
          </b>
          <span className="mute">
            {count > 0
              ? ` — it replaces ${plural(count, 'message')} of the ${formatCount(before)} before this call point: `
              : ' — it replaces no message of the transcript; it was added.'}
          </span>
          {count > 0 && (
            <>
              <button type="button" className="link" onClick={() => void goToMessage(from)}>
                #{from}
              </button>
              {count > 1 && (
                <>
                  {' – '}
                  <button type="button" className="link" onClick={() => void goToMessage(to - 1)}>
                    #{to - 1}
                  </button>
                </>
              )}
            </>
          )}
        </p>
        <pre className="synthetic-text">
          <Seen text={synthetic.text} />
        </pre>
      </div>
    </div>
  );
}
