import { Fragment } from 'react';
import { useActions, useAppState } from '../state/context.tsx';
import { plural } from '../ui/format.ts';
import { indexList } from './figures.ts';

const SHOWN = 8;

/** Says which signed messages the stages would have changed, and did not or must not. */
export function SignedNote() {
  const signed = useAppState((state) => state.projection.info?.protectedSigned ?? null);
  const isBlocked = useAppState((state) => state.projection.info?.providerSafetyBlocked ?? false);
  const { goToMessage } = useActions();
  if (!signed || signed.count === 0) return null;
  const { first, more } = indexList(signed.indices, signed.count, SHOWN);
  return (
    <section className="card signed-note" aria-label="Signed thinking" data-testid="signed-note">
      <h3>{plural(signed.count, 'signed thinking block')} protected</h3>
      <p className="mute">
        {first.map((index, position) => (
          <Fragment key={index}>
            {position > 0 && ', '}
            <button type="button" className="link num" onClick={() => void goToMessage(index)}>
              #{index}
            </button>
          </Fragment>
        ))}
        {more > 0 && ` and ${more.toLocaleString('en')} more`}: an edit would void the provider’s signature;{' '}
        {isBlocked ? 'the stage refused as a whole.' : 'they stay as they were.'}
      </p>
    </section>
  );
}
