import '../policy/policy.css';
import { FileCheck, FileOutput, Send } from 'lucide-react';
import { BudgetCard } from '../budget/BudgetCard.tsx';
import { PresetTable } from '../budget/PresetTable.tsx';
import { SignedNote } from '../budget/SignedNote.tsx';
import { PolicyHeader } from '../policy/PolicyHeader.tsx';
import { StageList } from '../policy/StageList.tsx';
import { useActions } from '../state/context.tsx';

/** The policy panel: stages, budget, presets. */
export function PolicyPanel() {
  const { openDialog } = useActions();
  return (
    <aside className="policy" aria-label="Policy" data-testid="policy-panel">
      <PolicyHeader />
      <div className="policy-scroll">
        <StageList />
        <BudgetCard />
        <PresetTable />
        <SignedNote />
      </div>
      <div className="policy-foot">
        <button
          type="button"
          className="text-button"
          data-testid="export-open"
          onClick={() => openDialog({ kind: 'export' })}
        >
          <FileOutput size={14} aria-hidden /> Bug report…
        </button>
        <button
          type="button"
          className="text-button"
          data-testid="wire-open"
          onClick={() => openDialog({ kind: 'wire' })}
        >
          <Send size={13} aria-hidden /> Request…
        </button>
        <button
          type="button"
          className="text-button"
          data-testid="verify-open"
          onClick={() => openDialog({ kind: 'verify' })}
        >
          <FileCheck size={14} aria-hidden /> Verify…
        </button>
      </div>
    </aside>
  );
}
