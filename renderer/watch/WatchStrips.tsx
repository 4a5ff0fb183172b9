import './watch.css';
import { useMemo } from 'react';
import { filterColor } from '../filter/colors.ts';
import { StateStrip } from '../find/StateStrip.tsx';
import { useWatched, type WatchedLine } from './useWatched.ts';
import { WatchNames } from './WatchNames.tsx';
import { lostAt, pointsOf, watchName } from './words.ts';

/** Under the chart: a strip for each text that is watched, and under them their names. Read-only: nothing of them is changed. */
export function WatchStrips({ isReadOnly = false }: { readonly isReadOnly?: boolean }) {
  const watched = useWatched();
  const { lines, isLoading, error } = watched;
  if (lines.length === 0 && error === null) return null;
  return (
    <section className="watch" aria-label="Watched texts" data-testid="watch">
      <div className="watch-strips">
        {lines.map((line, at) => (
          <Strip key={line.watchpoint.id} line={line} number={at + 1} isLoading={isLoading} />
        ))}
      </div>
      {error !== null && (
        <p className="watch-error" role="alert" data-testid="watch-error">
          The watched texts could not be followed: {error.message}
        </p>
      )}
      <WatchNames watched={watched} isReadOnly={isReadOnly} />
    </section>
  );
}

interface StripProps {
  readonly line: WatchedLine;
  readonly number: number;
  readonly isLoading: boolean;
}

function Strip({ line: { watchpoint, text }, number, isLoading }: StripProps) {
  const runs = text?.runs ?? NO_RUNS;
  const points = useMemo(() => pointsOf(runs), [runs]);
  return (
    <StateStrip
      label={String(number)}
      color={filterColor(watchpoint.color)}
      about={`Watched text ${number}, ${watchName(watchpoint)},`}
      points={points}
      isLoading={isLoading}
      testId="watch-strip"
      leadsTo={(first, last) => lostAt(runs, first, last)}
    />
  );
}

const NO_RUNS: readonly never[] = [];
