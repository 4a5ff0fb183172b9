import './keep.css';
import { Pin, Undo2 } from 'lucide-react';
import { printed } from '../keys/keys.ts';
import { useActions, useAppState } from '../state/context.tsx';
import type { TriedChange } from '../state/types.ts';
import { useAnswer } from '../state/useAnswer.ts';
import { usePlatform } from '../state/usePlatform.ts';
import { useProjectedSpec } from '../state/useProjectedSpec.ts';
import { useTried } from '../state/useTried.ts';
import { Seen } from '../ui/Seen.tsx';
import { signedCost, signedTokens, unpricedNote } from './words.ts';

/** The call point must rest that long before the price there is asked for. Unit: ms. */
const REST_MS = 500;

/** What is being tried and what it costs; it goes when the change is taken back, kept, or the policy becomes another one. */
export function TryingBanner() {
  const { tried } = useTried();
  return tried && <Banner tried={tried} />;
}

function Banner({ tried }: { readonly tried: TriedChange }) {
  const { setTried, takeBackTried } = useActions();
  const platform = usePlatform();
  return (
    <div className="banner keep-trying" role="status" data-testid="trying">
      <Pin size={14} className="keep-trying-icon" aria-hidden />
      <p className="grow" title="Panes, chart and budget show the policy with it">
        <b>
          Trying: <Seen text={tried.words} />.
        </b>{' '}
        <Price tried={tried} /> <span className="mute">Not saved.</span>
      </p>
      <button type="button" className="button" onClick={takeBackTried}>
        <Undo2 size={12} aria-hidden /> Undo <kbd>{printed('mod+z', platform)}</kbd>
      </button>
      <button type="button" className="button button-primary" onClick={() => setTried(null)}>
        Keep in policy
      </button>
    </div>
  );
}

/** Of the request on screen, and of the session; it follows the call point. */
function Price({ tried: { base } }: { readonly tried: TriedChange }) {
  const id = useAppState((state) => state.session.id);
  const at = useAppState((state) => state.projection.at);
  const messages = useAppState((state) => state.session.info?.messages ?? 0);
  const isFinal = useAppState((state) => state.projection.info?.final ?? false);
  const provenance = useAppState((state) => state.projection.info?.raw.provenance ?? 'estimated');
  const isPending = useAppState((state) => state.projection.pending);
  const projected = useProjectedSpec();
  // Until the policy with the change is projected there is nothing to price.
  const changed = isPending ? null : projected;
  const isAsked = id !== null && changed !== null;
  const { value, error } = useAnswer('keep.price', isAsked ? { id, spec: base, changed, at } : null, {
    wait: REST_MS,
    again: [messages, isFinal],
  });
  const isOver = error !== null;
  if (isOver) return <span data-testid="trying-price">Its price is not known: {error.message}</span>;
  if (value === null) return <span data-testid="trying-price">Working out its price…</span>;
  return (
    <span className="num" data-testid="trying-price">
      {signedTokens(value.tokensHere, provenance)} tok {at === null ? 'in the next request' : `at call #${at}`},{' '}
      {signedTokens(value.tokensSession, provenance, true)} tok
      {value.costSession === null ? '' : ` and ${signedCost(value, provenance)}`} over the session{unpricedNote(value)}.
    </span>
  );
}
