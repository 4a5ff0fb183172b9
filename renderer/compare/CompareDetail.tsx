import { useState } from 'react';
import type { ComparedInfo } from '../../core/protocol/compareTypes.ts';
import { useActions, useAppState } from '../state/context.tsx';
import { formatCount } from '../ui/format.ts';
import { lazily } from '../ui/lazily.tsx';
import { Segmented } from '../ui/Segmented.tsx';
import { DifferenceList } from './DifferenceList.tsx';
import type { Cursor } from './useCursor.ts';

const ComparedContent = lazily(() => import('./ComparedContent.tsx').then((file) => file.ComparedContent));

type Part = 'differences' | 'content' | 'diff';

interface Props {
  readonly info: ComparedInfo;
  readonly cursor: Cursor;
  readonly firstDifferenceAt: number | null;
}

/** Under the panes: the list of differences, or both texts of the row one is at. */
export function CompareDetail({ info, cursor, firstDifferenceAt }: Props) {
  const [part, setPart] = useState<Part>('differences');
  const { only_a, only_b, text } = info.counts;
  const differing = only_a + only_b + text;
  const head = (
    <Segmented
      label="Below the panes"
      value={part}
      onChange={setPart}
      options={[
        { value: 'differences', title: `Differences ${formatCount(differing)}` },
        { value: 'content', title: 'Content' },
        { value: 'diff', title: 'Diff' },
      ]}
    />
  );
  if (part === 'differences' && !info.equal)
    return (
      <section className="compare-detail" aria-label="Differences">
        <DifferenceList info={info} cursor={cursor} head={head} />
      </section>
    );
  return (
    <section className="compare-detail" aria-label="Differences">
      <div className="compare-detail-bar">{head}</div>
      {part === 'differences' ? (
        <NoDifference at={info.at} firstDifferenceAt={firstDifferenceAt} />
      ) : (
        <ComparedContent key={info.comparisonId} info={info} line={cursor.line} part={part} />
      )}
    </section>
  );
}

function NoDifference({ at, firstDifferenceAt }: { readonly at: number; readonly firstDifferenceAt: number | null }) {
  const { setAt } = useActions();
  const messages = useAppState((state) => state.session.info?.messages ?? 0);
  return (
    <p className="compare-note" data-testid="compare-equal">
      <b>✓ A and B send the same {at >= messages ? 'in the next request' : `at #${at}`}.</b>{' '}
      {firstDifferenceAt === null ? (
        <span className="mute">Where the sums are known and no first difference is marked, no request differs.</span>
      ) : (
        <span className="mute">
          They first differ at{' '}
          <button
            type="button"
            className="link num"
            onClick={() => setAt(firstDifferenceAt >= messages ? null : firstDifferenceAt)}
          >
            call #{firstDifferenceAt}
          </button>
          .
        </span>
      )}
    </p>
  );
}
