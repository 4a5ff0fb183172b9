import './uses.css';
import { useState } from 'react';
import type { MessageUses, Use } from '../../core/protocol/types.ts';
import { FilterValue } from '../filter/FilterValue.tsx';
import { useActions } from '../state/context.tsx';
import type { Answer } from '../state/useAnswer.ts';
import { formatCount } from '../ui/format.ts';
import { UseLine } from './UseLine.tsx';
import { usersOf } from './words.ts';

const SHOWN = 5;
const NAMED = 4;

/** Who used the selected message later, in one sentence. Until that is known, nothing. */
export function UsedLater({ answer: { value, error } }: { readonly answer: Answer<MessageUses> }) {
  if (error) return <p className="drawer-error">Later uses could not be looked for: {error.message}</p>;
  if (value === null) return null;
  return value.laterTotal === 0 ? (
    <p className="mute">
      <FilterValue field="used" value="never">
        No later use found.
      </FilterValue>
    </p>
  ) : (
    <UsedBy uses={value} />
  );
}

/** The uses one by one: of the selected message by later ones, and what it relied on itself. */
export function UseLists({ uses }: { readonly uses: MessageUses | null }) {
  if (uses === null || uses.laterTotal + uses.earlierTotal === 0) return null;
  return (
    <div className="uses" data-testid="uses">
      <UseList title="Used later" uses={uses.later} total={uses.laterTotal} isLater />
      <UseList title="Relied on" uses={uses.earlier} total={uses.earlierTotal} isLater={false} />
    </div>
  );
}

// "Used later by #212, #340 · 1 of 2 gone when used, since call #276"
function UsedBy({ uses: { later, laterTotal, laterGone } }: { readonly uses: MessageUses }) {
  const { goToMessage, setAt } = useActions();
  const users = usersOf(later);
  const since = later.find(({ loss, changed, confidence }) => loss !== null && !changed && confidence !== 'suspect')
    ?.loss?.since;
  return (
    <p className="uses-sentence" data-testid="used-by">
      <b>
        <FilterValue field="used" value="later">
          Used later
        </FilterValue>
      </b>{' '}
      by{' '}
      {users.slice(0, NAMED).map((at, nth) => (
        <span key={at}>
          {nth > 0 && ', '}
          <button type="button" className="link num" onClick={() => void goToMessage(at)}>
            #{at}
          </button>
        </span>
      ))}
      {users.length > NAMED && ` and ${formatCount(users.length - NAMED)} more`}
      {laterGone > 0 && (
        <span className="uses-gone">
          {' · '}
          {formatCount(laterGone)} of {formatCount(laterTotal)}{' '}
          <FilterValue field="used" value="gone">
            gone when used
          </FilterValue>
          {since !== undefined && (
            <>
              {', since '}
              <button type="button" className="link num" onClick={() => setAt(since)}>
                call #{since}
              </button>
            </>
          )}
        </span>
      )}
    </p>
  );
}

interface ListProps {
  readonly title: string;
  readonly uses: readonly Use[];
  readonly total: number;
  readonly isLater: boolean;
}

function UseList({ title, uses, total, isLater }: ListProps) {
  const [isOpen, setOpen] = useState(false);
  const shown = isOpen ? uses : uses.slice(0, SHOWN);
  if (total === 0) return null;
  return (
    <section aria-label={title}>
      <h3 className="uses-title">{title}</h3>
      <ul className="uses-list">
        {shown.map((use) => (
          <UseLine key={`${use.at} ${use.kind} ${use.part} ${use.from} ${use.evidence}`} use={use} isLater={isLater} />
        ))}
      </ul>
      {uses.length > SHOWN && (
        <button type="button" className="link" onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Fewer' : `All ${formatCount(total)}${total > uses.length ? `, the first ${uses.length}` : ''}`}
        </button>
      )}
    </section>
  );
}
