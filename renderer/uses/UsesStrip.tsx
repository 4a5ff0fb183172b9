import './uses.css';
import { type KeyboardEvent, memo, useRef } from 'react';
import type { SessionUses } from '../../core/protocol/types.ts';
import { useActions, useAppState } from '../state/context.tsx';
import { trailMarks } from '../state/trailMarks.ts';
import { useChart } from '../state/useChart.ts';
import { ChartSlider } from '../ui/ChartSlider.tsx';
import { CHART, type Chart, groupMarks, isInSight, middleOf } from '../ui/chart.ts';
import { formatCount } from '../ui/format.ts';
import { useWidth } from '../ui/useExtent.ts';
import { TrailShapes } from './TrailShapes.tsx';
import { describeTrail } from './trail.ts';
import { useSessionUses } from './useSessionUses.ts';
import { nearestUse, nextUse } from './words.ts';

const HEIGHT = 16;
/** Px: marks that are nearer to each other cannot be told apart, and are one. */
const NEAREST = 1.5;

/**
 * Under the chart, on its x axis: the requests that did not hold what their answers used, and before them the trail of the
 * selected message. It is there wherever there are uses, so that selecting moves nothing. A click goes to the nearest.
 */
export function UsesStrip() {
  const element = useRef<HTMLDivElement>(null);
  const width = useWidth(element);
  const uses = useSessionUses();
  const messages = useAppState((state) => state.session.info?.messages ?? 0);
  const at = useAppState((state) => state.projection.at ?? state.session.info?.messages ?? 0);
  const trail = useAppState((state) => state.trail);
  const { setAt, goToTrail } = useActions();
  const chart = useChart(width);
  if (uses === null || uses.summary.uses === 0) return <div ref={element} />;
  const { gone } = uses;
  const marks = trailMarks(trail);
  const onKey = (event: KeyboardEvent): boolean => {
    const direction = { ArrowLeft: -1 as const, ArrowRight: 1 as const }[event.key];
    const to = direction === undefined ? null : nextUse(gone, at, direction);
    if (to !== null) setAt(to);
    return direction !== undefined;
  };
  const onPlace = (x: number) => {
    const place = (to: number) => middleOf(chart, to);
    const used = nearestUse(
      marks.map(({ index }) => ({ at: index })),
      place,
      x,
    );
    const lacking = nearestUse(gone, place, x);
    const far = (to: number | null) => (to === null ? Number.POSITIVE_INFINITY : Math.abs(place(to) - x));
    const mark = marks.find(({ index }) => index === used);
    if (mark !== undefined && far(used) <= far(lacking)) void goToTrail(mark.index, mark.part);
    else if (lacking !== null) setAt(lacking);
  };
  const said = [describeTrail(trail), describe(uses)].filter((words) => words !== '').join('\n');
  return (
    <ChartSlider
      ref={element}
      className="uses-strip"
      height={HEIGHT}
      label="Requests that did not hold what was used; arrow keys go from one to the next"
      most={messages}
      now={at}
      says={`call #${at}${trail.of === null ? '' : `; ${describeTrail(trail)}`}`}
      aria-busy={trail.of !== null && trail.state === 'pending'}
      title={said}
      data-testid="uses-strip"
      data-gone={gone.length}
      data-trail={trail.of ?? undefined}
      data-marks={marks.map(({ index, side, outcome }) => `${index}:${side}:${outcome ?? 'unknown'}`).join(' ')}
      onKey={onKey}
      onPlace={onPlace}
    >
      {chart.width > 0 && (
        <svg className="uses-marks" width={chart.width} height={HEIGHT} aria-hidden="true">
          <text x={CHART.left - 6} y={HEIGHT - 4} textAnchor="end" className={trail.of === null ? '' : 'trail-name'}>
            {trail.of === null ? 'used' : 'trail'}
          </text>
          <Marks gone={gone} chart={chart} isFaint={trail.of !== null} />
          {trail.of !== null && <TrailShapes marks={marks} of={trail.of} chart={chart} height={HEIGHT} />}
        </svg>
      )}
    </ChartSlider>
  );
}

function describe({ summary, gone }: SessionUses): string {
  const all = `${formatCount(summary.gone)} of ${formatCount(summary.uses)} uses`;
  if (gone.length === 0) return `No request lacked what was used there · ${all} gone`;
  const requests = gone.length === 1 ? '1 request' : `${formatCount(gone.length)} requests`;
  return `${requests} did not hold what was used there · ${all}`;
}

interface MarksProps {
  readonly gone: SessionUses['gone'];
  readonly chart: Chart;
  /** The strip shows a trail: they are not marks of it. */
  readonly isFaint: boolean;
}

const Marks = memo(function Marks({ gone, chart, isFaint }: MarksProps) {
  const placed = gone.map(({ at }) => ({ at, x: middleOf(chart, at) })).filter(({ x }) => isInSight(chart, x));
  return (
    <g className={isFaint ? 'uses-faint' : undefined}>
      {groupMarks(placed, NEAREST).map(({ x, marks }) => (
        <path
          key={marks[0]?.at}
          className="uses-cross"
          data-at={marks[0]?.at}
          data-count={marks.length}
          d={isFaint ? `M${x} ${HEIGHT - 4}v3` : `M${x - 3} 5l6 6m0 -6l-6 6`}
        />
      ))}
    </g>
  );
});
