import './policy.css';
import { BudgetCard } from '../budget/BudgetCard.tsx';
import { PresetTable } from '../budget/PresetTable.tsx';
import { SignedNote } from '../budget/SignedNote.tsx';
import { PolicyHeader } from './PolicyHeader.tsx';
import { StageList } from './StageList.tsx';

/** The policy panel: stages, budget, presets. */
export function PolicyPanel() {
  return (
    <aside className="policy" aria-label="Policy" data-testid="policy-panel">
      <PolicyHeader />
      <div className="policy-scroll">
        <StageList />
        <BudgetCard />
        <PresetTable />
        <SignedNote />
      </div>
    </aside>
  );
}
