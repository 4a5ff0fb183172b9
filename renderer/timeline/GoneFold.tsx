import type { GoneInto, Row } from '../../core/protocol/types.ts';
import { useActions } from '../state/context.tsx';
import { Seen } from '../ui/Seen.tsx';
import { intoText } from './rowText.ts';

interface Props {
  readonly row: Row & { readonly gone: NonNullable<Row['gone']> };
  readonly side: 'raw' | 'projected';
  readonly isOnly: boolean;
}

/** A folded run that is not sent: how many messages on the left, what became of them on the right, or both in one pane. */
export function GoneFoldText({ row, side, isOnly }: Props) {
  const { gone } = row;
  return (
    <span className="cell-text ellipsis" data-testid="gone-fold">
      {side === 'raw' && (
        <>
          <span className="cell-fold-sign">▸ </span>
          <b>
            <Seen text={row.raw?.text ?? ''} />
          </b>
        </>
      )}
      {(side === 'projected' || isOnly) && (
        <>
          {isOnly && ' '}
          {gone.into === null ? `not sent: ${gone.stage}` : <IntoLink into={gone.into} />}
        </>
      )}
    </span>
  );
}

/** `→ summary #271, 6.4k tok`: leads to its row. */
function IntoLink({ into }: { readonly into: GoneInto }) {
  const { goToMessage, goToRow } = useActions();
  return (
    <>
      {'→ '}
      <button
        type="button"
        className="link"
        tabIndex={-1}
        onClick={(event) => {
          event.stopPropagation();
          if (into.kind === 'message') void goToMessage(into.index);
          else void goToRow(into.row);
        }}
        onDoubleClick={(event) => event.stopPropagation()}
      >
        {intoText(into)}
      </button>
    </>
  );
}
