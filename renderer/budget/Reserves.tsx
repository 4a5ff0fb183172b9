import type { BudgetState } from '../../core/tokens/budget.ts';
import { parseTokens, type Reserve, setReserve } from '../state/editBudget.ts';
import { usePolicyEdit } from '../state/usePolicyEdit.ts';
import { formatCount } from '../ui/format.ts';
import { TextField } from './TextField.tsx';

const FIELDS: readonly { readonly name: Reserve; readonly label: string; readonly help: string }[] = [
  { name: 'reserve_output', label: 'output', help: 'Tokens kept free for the answer. They are part of the window.' },
  {
    name: 'injection_reserve',
    label: 'injected',
    help: 'Tokens kept free for what is put in next to the last user message. An entry over it is an error.',
  },
];

/** What is set aside of the window, to be edited in place. */
export function Reserves({ budget }: { readonly budget: BudgetState }) {
  const edit = usePolicyEdit();
  const held: Readonly<Record<Reserve, number>> = {
    reserve_output: budget.reserveOutput,
    injection_reserve: budget.injectionReserve,
  };
  const isOver = budget.injected > budget.injectionReserve && budget.injectionReserve > 0;
  return (
    <div className="budget-reserves" data-testid="reserves">
      <span className="mute">reserve</span>
      {FIELDS.map(({ name, label, help }) => (
        <span key={name} className="reserve" title={help}>
          <TextField
            label={`Reserve: ${label}`}
            testId={name}
            value={formatCount(held[name])}
            width="calc(9ch + 14px)"
            read={parseTokens}
            onChange={(tokens) => edit((spec) => setReserve(spec, name, tokens))}
          />
          <span className="mute">{label}</span>
        </span>
      ))}
      {budget.injected > 0 && (
        <span className={isOver ? 'tone-over num' : 'mute num'}>{formatCount(budget.injected)} used</span>
      )}
    </div>
  );
}
