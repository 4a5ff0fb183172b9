import './correlation.css';
import { useState } from 'react';
import type { Correlation, MessageDetail } from '../../core/protocol/types.ts';
import { useActions, useApp, useAppState } from '../state/context.tsx';
import { toProtocolError } from '../state/engine.ts';
import { plural } from '../ui/format.ts';

/** Links shown of what belongs together. */
const SHOWN = 12;

/** The request and the model's call that a message belongs to, by recorded ids; what else does, when it is asked for. */
export function CorrelationFacts({ refs }: { readonly refs: MessageDetail['refs'] }) {
  const { requestId, callId, iteration } = refs;
  return (
    <>
      {requestId !== null && <CorrelationFact name="Request id" kind="request" id={requestId} />}
      {callId !== null && <CorrelationFact name="Model call" kind="call" id={callId} iteration={iteration} />}
    </>
  );
}

interface Props {
  readonly name: string;
  readonly kind: 'request' | 'call';
  readonly id: string;
  readonly iteration?: number | null;
}

function CorrelationFact({ name, kind, id, iteration = null }: Props) {
  const { engine } = useApp();
  const transcript = useAppState((state) => state.session.id);
  const [found, setFound] = useState<Correlation | null>(null);
  const [error, setError] = useState<string | null>(null);
  const show = async () => {
    if (transcript === null) return;
    try {
      const asked =
        kind === 'call'
          ? engine.call('correlate.call', { id: transcript, callId: id })
          : engine.call('correlate.request', { id: transcript, requestId: id });
      setFound(await asked);
      setError(null);
    } catch (thrown) {
      setError(toProtocolError(thrown).message);
    }
  };
  return (
    <div className="fact" data-testid={`correlation-${kind}`}>
      <dt>{name}</dt>
      <dd>
        <span className="mono">{id}</span>
        {iteration !== null && <span className="faint"> · iteration {iteration}</span>}
        {found === null && (
          <button type="button" className="link correlation-more" onClick={() => void show()}>
            what belongs to it
          </button>
        )}
        {found && <Entries found={found} />}
        {error !== null && <span className="correlation-error"> {error}</span>}
      </dd>
    </div>
  );
}

function Entries({ found }: { readonly found: Correlation }) {
  const { goToMessage, setAt } = useActions();
  const { entries, at, callIds } = found;
  const more = entries.length - SHOWN;
  return (
    <div className="correlation-entries num">
      {entries.slice(0, SHOWN).map(({ index, kinds, via }) => (
        <button
          key={index}
          type="button"
          className="link"
          title={`${kinds.join(', ')}${via === 'answers' ? ': the result of a call in it' : ''}`}
          onClick={() => void goToMessage(index)}
        >
          #{index}
        </button>
      ))}
      {more > 0 && <span className="mute">and {more} more</span>}
      {callIds.length > 1 && <span className="mute">{plural(callIds.length, 'model call')}</span>}
      {at !== null && (
        <button
          type="button"
          className="link"
          title="Moves the call point there: what the model was given then, under this policy"
          onClick={() => setAt(at)}
        >
          made of the messages before #{at}
        </button>
      )}
    </div>
  );
}
