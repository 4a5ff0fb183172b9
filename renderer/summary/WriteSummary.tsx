import './summary.css';
import { PencilLine } from 'lucide-react';
import { useActions } from '../state/context.tsx';
import type { Span } from '../state/dialog.ts';

/** Opens the dialog for a span that nobody has summarized. `isChip` = on the row of the placeholder that is there. */
export function WriteSummary({ span, isChip = false }: { readonly span: Span; readonly isChip?: boolean }) {
  const { openDialog } = useActions();
  return (
    <button
      type="button"
      className={isChip ? 'chip write-chip' : 'button write-summary'}
      tabIndex={isChip ? -1 : 0}
      title="No summary covers these messages: a labelled placeholder is used until one is written."
      data-testid="write-summary"
      onClick={(event) => {
        event.stopPropagation();
        openDialog({ kind: 'summary', span });
      }}
    >
      <PencilLine size={12} aria-hidden />{' '}
      {isChip ? 'Write summary…' : `Write summary of #${span.from} – #${span.to - 1}…`}
    </button>
  );
}
