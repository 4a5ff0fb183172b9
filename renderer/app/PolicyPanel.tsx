import '../policy/policy.css';
import { FileCheck, FileOutput, Send } from 'lucide-react';
import { BudgetCard } from '../budget/BudgetCard.tsx';
import { BudgetPin } from '../budget/BudgetPin.tsx';
import { PresetTable } from '../budget/PresetTable.tsx';
import { SignedNote } from '../budget/SignedNote.tsx';
import { PolicyHeader } from '../policy/PolicyHeader.tsx';
import { StageList } from '../policy/StageList.tsx';
import { useActions } from '../state/context.tsx';

/** The dialogs about the request as a whole; a size makes its icon look as large as the others. */
const FOOT = [
  { kind: 'export', testid: 'export-open', icon: FileOutput, size: 14, title: 'Bug report…' },
  { kind: 'wire', testid: 'wire-open', icon: Send, size: 13, title: 'Request…' },
  { kind: 'verify', testid: 'verify-open', icon: FileCheck, size: 14, title: 'Verify…' },
] as const;

/** The policy panel: stages, budget, presets. */
export function PolicyPanel() {
  const { openDialog } = useActions();
  return (
    <aside className="policy" aria-label="Policy" data-testid="policy-panel">
      <PolicyHeader />
      <BudgetPin />
      <div className="policy-scroll">
        <StageList />
        <BudgetCard />
        <PresetTable />
        <SignedNote />
      </div>
      <div className="policy-foot">
        {FOOT.map(({ kind, testid, icon: Icon, size, title }) => (
          <button
            key={kind}
            type="button"
            className="text-button"
            data-testid={testid}
            onClick={() => openDialog({ kind })}
          >
            <Icon size={size} aria-hidden /> {title}
          </button>
        ))}
      </div>
    </aside>
  );
}
