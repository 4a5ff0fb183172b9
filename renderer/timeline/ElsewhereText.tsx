import type { Row } from '../../core/protocol/types.ts';
import { useActions } from '../state/context.tsx';

/** In the cell of a part that is sent in another row: leads there. */
export function ElsewhereText({ row }: { readonly row: Row }) {
  const { goToRow } = useActions();
  const { elsewhere = -1 } = row;
  const isAbove = elsewhere < row.row;
  return (
    <span className="cell-text ellipsis mute">
      {isAbove ? '↑ ' : '↓ '}
      <button
        type="button"
        className="link"
        tabIndex={-1}
        onClick={(event) => {
          event.stopPropagation();
          void goToRow(elsewhere);
        }}
        onDoubleClick={(event) => event.stopPropagation()}
      >
        {isAbove ? 'sent in a row above' : 'sent in a row below'}
      </button>
    </span>
  );
}
