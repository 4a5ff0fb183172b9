import './uses.css';
import { CornerDownRight, X } from 'lucide-react';
import { type ReactNode, use } from 'react';
import { FilterValue } from '../filter/FilterValue.tsx';
import { useLookedThrough } from '../state/useLookedThrough.ts';
import { useWork } from '../state/useWork.ts';
import { formatCount } from '../ui/format.ts';
import { RowUsesContext } from './rowUsesContext.ts';
import { describeUsedRow } from './words.ts';

/** On a row: how many later messages relied on it, and a cross where a request did not hold what was relied on. */
export function UsedBadge({ index, part }: { readonly index: number; readonly part: number }) {
  const used = use(RowUsesContext).rows?.get(`${index}.${part}`);
  if (used === undefined) return null;
  const { later, gone, lacked } = used;
  const words = describeUsedRow(used);
  return (
    <span className="row-used num" data-testid="row-used" data-later={later} data-gone={gone} title={words}>
      <UsedValue value={gone > 0 ? 'gone' : later > 0 ? 'later' : null} words={words}>
        {later > 0 && (
          <>
            <CornerDownRight size={11} aria-hidden />
            <span aria-hidden>{formatCount(later)}</span>
          </>
        )}
        {(gone > 0 || lacked) && <X size={11} className="row-used-gone" aria-hidden />}
        <span className="visually-hidden">{words}</span>
      </UsedValue>
    </span>
  );
}

/** A row that only lacked something has nothing to offer. */
function UsedValue({ value, words, children }: { value: string | null; words: string; children: ReactNode }) {
  if (value === null) return children;
  return (
    <FilterValue field="used" value={value} title={words} className="row-used-value" isInRow>
      {children}
    </FilterValue>
  );
}

/** At the head of the rows: that a row without a mark may have uses all the same, because they are not known yet. */
export function UsedState() {
  const { state, error } = use(RowUsesContext);
  const looked = useLookedThrough(state === 'pending');
  useWork(looked === '' ? null : 'looking for later uses');
  if (state === 'known' || state === 'absent') return null;
  const pending = `Looking for later uses of rows…${looked === '' ? '' : ` ${looked}`}`;
  const words = state === 'pending' ? pending : `Later uses of rows are not known: ${error}`;
  return (
    <span className="row-used" title={words} data-testid="rows-used-state" data-state={state}>
      <CornerDownRight size={11} aria-hidden />
      <span aria-hidden>{state === 'pending' ? looked || '…' : '?'}</span>
      <span className="visually-hidden">{words}</span>
    </span>
  );
}
