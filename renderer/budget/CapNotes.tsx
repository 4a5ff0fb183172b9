import './capNotes.css';
import { Plus } from 'lucide-react';
import type { StageInfo } from '../../core/protocol/types.ts';
import type { BudgetState } from '../../core/tokens/budget.ts';
import { STARTER } from '../policy/custom/examples.ts';
import { placeLast } from '../policy/placeStage.ts';
import { useAppState } from '../state/context.tsx';
import { addStage } from '../state/editSpec.ts';
import { usePolicyEdit } from '../state/usePolicyEdit.ts';
import { formatCount } from '../ui/format.ts';
import { tierColor, tierLabel } from './gauge.ts';

const NONE: readonly StageInfo[] = [];

/** The tiers that are over their caps: by how much, why they stay so, and what would help. */
export function CapNotes({ budget }: { readonly budget: BudgetState }) {
  const over = budget.tiers.filter((tier) => tier.over > 0);
  if (over.length === 0) return null;
  return (
    <ul className="cap-notes" aria-label="Tiers over their caps" data-testid="cap-notes">
      {over.map(({ tier, cap, over: by, note }) => (
        <li key={tier} data-tier={tier}>
          <i className="swatch" style={{ background: tierColor(tier) }} />
          <div>
            <b className="tone-over num">
              {tierLabel(tier)}: {formatCount(by)} over its cap of {formatCount(cap ?? 0)}
            </b>
            {note && <p className="mute">{note.text}</p>}
            {note?.add !== undefined && <AddActing kind={note.add} />}
          </div>
        </li>
      ))}
    </ul>
  );
}

function AddActing({ kind }: { readonly kind: string }) {
  const kinds = useAppState((state) => state.describe?.stages ?? NONE);
  const edit = usePolicyEdit();
  const info = kinds.find((one) => one.kind === kind);
  if (info === undefined) return null;
  return (
    <button
      type="button"
      className="more-params"
      data-testid={`add-${kind}`}
      onClick={() => edit((spec) => placeLast(addStage(spec, info, STARTER), kinds).spec)}
    >
      <Plus size={12} aria-hidden /> Add {info.title}
    </button>
  );
}
