import './strip.css';
import { type KeyboardEvent, useMemo } from 'react';
import { useActions, useAppState } from '../state/context.tsx';
import { cellAt, describeCell, describeRun, legend, type StripPoint } from './strip.ts';

const LEGEND = 4;

interface Props {
  readonly points: readonly StripPoint[];
  /** Not all call points were looked at. */
  readonly isSampled: boolean;
}

/** What became of a text or message over all call points, the one shown marked; a click or the arrow keys go there. */
export function LifeStrip({ points, isSampled }: Props) {
  const { setAt } = useActions();
  const at = useAppState((state) => state.projection.info?.at ?? 0);
  const current = cellAt(points, at);
  const { shown, more } = useMemo(() => legend(points, LEGEND), [points]);
  const go = (cell: number) => {
    const point = points[Math.max(0, Math.min(points.length - 1, cell))];
    if (point) setAt(point.at);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const ends: Readonly<Record<string, number>> = { Home: 0, End: points.length - 1 };
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const cell = ends[event.key] ?? (step === 0 ? null : current + step);
    if (cell === null) return;
    event.preventDefault();
    go(cell);
  };
  if (points.length === 0) return <p className="faint">There is no call point in this transcript.</p>;
  return (
    <div className="strip-box">
      <div
        className="strip"
        role="slider"
        tabIndex={0}
        aria-label="In each request"
        aria-valuemin={0}
        aria-valuemax={points.length - 1}
        aria-valuenow={current}
        aria-valuetext={describeCell(points[current])}
        data-testid="strip"
        data-dense={points.length > 100}
        onKeyDown={onKeyDown}
        onClick={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          go(Math.floor(((event.clientX - box.left) / box.width) * points.length));
        }}
      >
        {points.map((point, cell) => (
          <i
            key={point.at}
            data-state={point.state}
            data-at={point.at}
            data-current={cell === current || undefined}
            title={describeCell(point)}
          />
        ))}
      </div>
      <div className="strip-legend">
        {shown.map((run) => (
          <button
            key={run.cell}
            type="button"
            data-state={run.state}
            title="Go to this call point"
            onClick={() => setAt(run.from.at)}
          >
            {describeRun(run)}
          </button>
        ))}
        {more > 0 && <span className="faint">and {more} more changes</span>}
        {isSampled && <span className="faint">samples; the first loss is exact</span>}
      </div>
    </div>
  );
}
