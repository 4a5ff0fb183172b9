import { Plus, X } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { CATEGORIES } from '../../core/model/category.ts';
import type { BudgetState } from '../../core/tokens/budget.ts';
import { useAppState } from '../state/context.tsx';
import { capText, parseCap, setCap, type Tier } from '../state/editBudget.ts';
import { usePolicyEdit } from '../state/usePolicyEdit.ts';
import { formatCount, formatShort } from '../ui/format.ts';
import { tierColor, tierLabel } from './gauge.ts';
import { TextField } from './TextField.tsx';

const TIERS: readonly Tier[] = [...CATEGORIES, 'summary'];
const FIRST_CAP = '30%';

/** Caps of single tiers: a share of the total, or tokens. Over its cap a tier is thinned out earlier. */
export function Caps({ budget }: { readonly budget: BudgetState }) {
  const caps = useAppState((state) => state.projection.spec.budget?.caps ?? null);
  const edit = usePolicyEdit();
  const capped = TIERS.filter((tier) => caps?.[tier] !== undefined);
  return (
    <div className="caps" data-testid="caps">
      {capped.map((tier) => {
        const cap = caps?.[tier] ?? 0;
        const state = budget.tiers.find((one) => one.tier === tier);
        return (
          <div key={tier} className="cap">
            <i className="swatch" style={{ background: tierColor(tier) }} />
            <span className="ellipsis">{tierLabel(tier)}</span>
            <span className="faint">≤</span>
            <TextField
              label={`Cap of ${tierLabel(tier)}`}
              testId={`cap-${tier}`}
              value={capText(cap)}
              width="8ch"
              read={parseCap}
              onChange={(next) => edit((spec) => setCap(spec, tier, next))}
            />
            <CapState held={state?.tokens ?? 0} over={state?.over ?? 0} />
            <button
              type="button"
              className="icon-button"
              aria-label={`No cap of ${tierLabel(tier)}`}
              onClick={() => edit((spec) => setCap(spec, tier, null))}
            >
              <X size={13} aria-hidden />
            </button>
          </div>
        );
      })}
      <AddCap tiers={TIERS.filter((tier) => !capped.includes(tier))} />
    </div>
  );
}

function CapState({ held, over }: { readonly held: number; readonly over: number }) {
  return (
    <span className={`cap-state num ${over > 0 ? 'tone-over' : 'mute'}`} title={`holds ${formatCount(held)} tok`}>
      {over > 0 ? `over by ${formatShort(over)}` : `holds ${formatShort(held)}`}
    </span>
  );
}

function AddCap({ tiers }: { readonly tiers: readonly Tier[] }) {
  const edit = usePolicyEdit();
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger className="more-params" data-testid="add-cap">
        <Plus size={12} aria-hidden /> Cap a tier
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="start" sideOffset={4} collisionPadding={8}>
          {tiers.map((tier) => (
            <DropdownMenu.Item
              key={tier}
              className="menu-item"
              data-tier={tier}
              onSelect={() => edit((spec) => setCap(spec, tier, FIRST_CAP))}
            >
              <i className="swatch" style={{ background: tierColor(tier) }} />
              {tierLabel(tier)}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
