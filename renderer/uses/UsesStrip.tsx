import './uses.css';
import { type KeyboardEvent, memo, useRef } from 'react';
import type { SessionUses } from '../../core/protocol/types.ts';
import { useActions, useAppState } from '../state/context.tsx';
import { useChart } from '../state/useChart.ts';
import { CHART, type Chart, groupMarks, isInSight, middleOf, xOf } from '../ui/chart.ts';
import { formatCount } from '../ui/format.ts';
import { useWidth } from '../ui/useWidth.ts';
import { useSessionUses } from './useSessionUses.ts';
import { nearestUse, nextUse } from './words.ts';

const HEIGHT = 16;
/** Px: marks that are nearer to each other cannot be told apart, and are one. */
const NEAREST = 1.5;
const NO_POINTS: readonly never[] = [];

/** Under the chart, on its x axis: the requests that did not hold what their answers used. A click goes to the nearest. */
export function UsesStrip() {
  const element = useRef<HTMLDivElement>(null);
  const width = useWidth(element);
  const uses = useSessionUses();
  const messages = useAppState((state) => state.session.info?.messages ?? 0);
  const at = useAppState((state) => state.projection.at ?? state.session.info?.messages ?? 0);
  const { setAt } = useActions();
  const chart = useChart(width);
  const gone = uses?.gone ?? NO_POINTS;
  if (gone.length === 0 || uses === null) return <div ref={element} />;
  const onKeyDown = (event: KeyboardEvent) => {
    const direction = { ArrowLeft: -1 as const, ArrowRight: 1 as const }[event.key];
    const to = direction === undefined ? null : nextUse(gone, at, direction);
    if (direction === undefined) return;
    if (to !== null) setAt(to);
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      ref={element}
      className="uses-strip"
      style={{ height: HEIGHT }}
      role="slider"
      tabIndex={0}
      aria-label="Requests that did not hold what was used; arrow keys go from one to the next"
      aria-valuemin={0}
      aria-valuemax={messages}
      aria-valuenow={at}
      aria-valuetext={`call #${at}`}
      title={describe(uses)}
      data-testid="uses-strip"
      data-gone={gone.length}
      onKeyDown={onKeyDown}
      onClick={(event) => {
        const x = event.clientX - event.currentTarget.getBoundingClientRect().left;
        const to = nearestUse(gone, (place) => xOf(chart, place), x);
        if (to !== null) setAt(to);
      }}
    >
      <Marks gone={gone} chart={chart} />
    </div>
  );
}

function describe({ summary, gone }: SessionUses): string {
  const requests = gone.length === 1 ? '1 request' : `${formatCount(gone.length)} requests`;
  return `${requests} did not hold what was used there · ${formatCount(summary.gone)} of ${formatCount(summary.uses)} uses`;
}

interface MarksProps {
  readonly gone: SessionUses['gone'];
  readonly chart: Chart;
}

const Marks = memo(function Marks({ gone, chart }: MarksProps) {
  if (chart.width === 0) return null;
  const placed = gone.map(({ at }) => ({ at, x: middleOf(chart, at) })).filter(({ x }) => isInSight(chart, x));
  return (
    <svg className="uses-marks" width={chart.width} height={HEIGHT} aria-hidden="true">
      <text x={CHART.left - 6} y={HEIGHT - 4} textAnchor="end">
        used
      </text>
      {groupMarks(placed, NEAREST).map(({ x, marks }) => (
        <path key={marks[0]?.at} data-at={marks[0]?.at} data-count={marks.length} d={`M${x - 3} 5l6 6m0 -6l-6 6`} />
      ))}
    </svg>
  );
});
