import { useState } from 'react';
import type { Trace, TraceLoss } from '../../core/protocol/types.ts';
import { useActions } from '../state/context.tsx';
import { FATE_WORD } from '../ui/fate.ts';

interface Props {
  readonly trace: Trace;
  /** The reason already given above: not said twice. */
  readonly saidReason?: string;
}

/** When it was first lost, what was in its place, and whether it came back. */
export function TraceLossLines({ trace, saidReason }: Props) {
  const { setAt } = useActions();
  const loss = trace.firstLoss;
  if (!loss) return <p className="mute">It is in every later request under this policy.</p>;
  const returns = trace.returns.slice(0, 6);
  return (
    <>
      <p>
        <b>First lost at</b>{' '}
        <button type="button" className="link" onClick={() => setAt(loss.at)}>
          call #{loss.at}
        </button>{' '}
        <span className="mute">
          turn {loss.turn}, {FATE_WORD[loss.fate]}
          {loss.stage !== null && ` by stage ${loss.stage + 1}${loss.stageTitle ? `, ${loss.stageTitle}` : ''}`}
          {loss.reason !== '' && loss.reason !== saidReason && `: ${loss.reason}`}
        </span>
      </p>
      <Replacement loss={loss} />
      {returns.length > 0 && (
        <p>
          <b>In the request again at</b>{' '}
          {returns.map((at) => (
            <button key={at} type="button" className="link link-spaced" onClick={() => setAt(at)}>
              #{at}
            </button>
          ))}
          {trace.returns.length > returns.length && (
            <span className="mute">and {trace.returns.length - returns.length} more</span>
          )}
        </p>
      )}
    </>
  );
}

function Replacement({ loss }: { readonly loss: TraceLoss }) {
  const [isOpen, setOpen] = useState(false);
  if (loss.replacedBy === null) return <p className="mute">Nothing replaced it.</p>;
  const isLong = loss.replacedBy.length > 240;
  return (
    <div className="replaced">
      <b>In its place</b>
      <pre className={isOpen || !isLong ? 'mono' : 'mono replaced-cut'}>{loss.replacedBy}</pre>
      {isLong && (
        <button type="button" className="link" onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Less' : 'More'}
        </button>
      )}
    </div>
  );
}
