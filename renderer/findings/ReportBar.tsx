import { Bug } from 'lucide-react';
import { STATED_FINDINGS_MOST } from '../../core/model/statedFinding.ts';
import type { FindingInfo } from '../../core/protocol/types.ts';
import { useActions } from '../state/context.tsx';
import { plural } from '../ui/format.ts';

const NAMED = 6;

/** Under the list: which findings are ticked, and the way into a bug report; nothing while none is. */
export function ReportBar({ ticked }: { readonly ticked: readonly FindingInfo[] }) {
  const { openDialog } = useActions();
  if (ticked.length === 0) return null;
  const places = ticked.slice(0, NAMED).map(({ at }) => `#${at}`);
  const more = ticked.length > NAMED ? ` and ${ticked.length - NAMED} more` : '';
  const isTooMany = ticked.length > STATED_FINDINGS_MOST;
  return (
    <footer className="findings-foot" data-testid="findings-report">
      <span className="num grow ellipsis" role="status">
        {isTooMany
          ? `${plural(ticked.length, 'finding')} ticked; a report takes ${STATED_FINDINGS_MOST} at most`
          : `${ticked.length} ticked for the report: ${places.join(', ')}${more}`}
      </span>
      <button
        type="button"
        className="button"
        disabled={isTooMany}
        onClick={() => openDialog({ kind: 'export', findings: ticked })}
      >
        <Bug size={13} aria-hidden /> Add to a bug report…
      </button>
    </footer>
  );
}
