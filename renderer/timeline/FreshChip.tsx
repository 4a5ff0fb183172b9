import { ArrowDown } from 'lucide-react';
import { useActions, useAppState } from '../state/context.tsx';
import { plural } from '../ui/format.ts';

/** Says that messages came below what is in sight, and leads there. */
export function FreshChip() {
  const { goToEnd } = useActions();
  const fresh = useAppState((state) => state.session.fresh);
  if (fresh === 0) return null;
  return (
    <button type="button" className="fresh-chip" onClick={goToEnd} data-testid="fresh-chip">
      <ArrowDown size={13} aria-hidden /> {plural(fresh, 'new message')}
    </button>
  );
}
