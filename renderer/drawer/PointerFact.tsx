import { CircleAlert, CircleCheck } from 'lucide-react';
import type { DetailFate } from '../../core/protocol/types.ts';
import { useActions } from '../state/context.tsx';
import { Breakable } from '../ui/Breakable.tsx';
import { shortHash } from '../ui/format.ts';

/** Where the raw body of a redacted result is, and whether its bytes are still those the pointer speaks of. */
export function PointerFact({ pointer }: { readonly pointer: DetailFate['pointers'][number] }) {
  const { goToMessage, showDrawer } = useActions();
  const openRaw = () => {
    void goToMessage(pointer.source_index);
    showDrawer('json');
  };
  return (
    <div className="fact fact-pointer" data-testid="pointer" data-verified={pointer.verified}>
      <dt>Raw</dt>
      <dd>
        <button type="button" className="link mono pointer-source" title="Open the raw content" onClick={openRaw}>
          <Breakable text={pointer.source} after="." />
        </button>
        <span className="pointer-hash">
          <span className="mono" title={pointer.content_hash}>
            {shortHash(pointer.content_hash)}
          </span>
          {pointer.verified ? (
            <span className="verified">
              verified <CircleCheck size={13} aria-hidden />
            </span>
          ) : (
            <span className="unverified">
              does not match <CircleAlert size={13} aria-hidden />
            </span>
          )}
        </span>
        <button type="button" className="link" onClick={() => showDrawer('diff')}>
          pointer in the request
        </button>
      </dd>
    </div>
  );
}
