import './compare.css';
import { useState } from 'react';
import { useAppState } from '../state/context.tsx';
import { CompareBar } from './CompareBar.tsx';
import { CompareChart } from './CompareChart.tsx';
import { CompareDetail } from './CompareDetail.tsx';
import { ComparePanes } from './ComparePanes.tsx';
import { FirstChoice } from './FirstChoice.tsx';
import { SumsTable } from './SumsTable.tsx';
import { useAlong } from './useAlong.ts';
import { type OpenSpan, useComparedSpecs, useComparison } from './useCompared.ts';
import { useCursor } from './useCursor.ts';

/** Two policies on the open transcript: sums, lines along the session, both requests, and what differs between them. */
export function CompareMode() {
  const hasB = useAppState((state) => state.compare.b !== null);
  return (
    <div className="compare" data-testid="compare">
      <CompareBar />
      {hasB ? <Compared /> : <FirstChoice />}
    </div>
  );
}

const NONE: readonly OpenSpan[] = [];

function Compared() {
  const specs = useComparedSpecs();
  const along = useAlong(specs);
  const at = useAppState((state) => state.projection.at);
  // Lines are those of one call point and two policies: what was opened belongs to them.
  const place = JSON.stringify([specs, at]);
  const [opened, setOpened] = useState<{ readonly place: string; readonly spans: readonly OpenSpan[] }>({
    place,
    spans: NONE,
  });
  const [tries, setTries] = useState(0);
  const open = opened.place === place ? opened.spans : NONE;
  const { value: info, error, isLoading } = useComparison(specs, open, tries);
  const cursor = useCursor(info, along.value);
  if (error !== null)
    return (
      <p className="compare-note drawer-error" role="alert">
        The two policies could not be compared: {error.message}
      </p>
    );
  if (info === null) return <p className="compare-note faint">Both requests are being projected…</p>;
  return (
    <>
      <SumsTable along={along} />
      <CompareChart along={along} />
      <ComparePanes
        info={info}
        isLoading={isLoading}
        cursor={cursor}
        onOpen={(span) => setOpened({ place, spans: [...open, span] })}
        onFold={() => setOpened({ place, spans: NONE })}
        onLost={() => setTries((count) => count + 1)}
      />
      <CompareDetail info={info} cursor={cursor} firstDifferenceAt={along.value?.firstDifferenceAt ?? null} />
    </>
  );
}
