import './find.css';
import { type KeyboardEvent, memo, useMemo, useRef } from 'react';
import { useActions, useAppState } from '../state/context.tsx';
import { nextTurn, type StripRun, stateAt, stripRuns, type TextPoint } from '../state/textPoints.ts';
import { useChart } from '../state/useChart.ts';
import { ChartSlider } from '../ui/ChartSlider.tsx';
import { barAt, CHART, type Chart, callsBefore, isInSight, lastOf, plotWidth, spanOf, xOf } from '../ui/chart.ts';
import { useWidth } from '../ui/useExtent.ts';
import { describeRun, STATE_WORD } from './words.ts';

const HEIGHT = 20;
const TOP = 3;
const FLOOR = 17;

interface Props {
  /** In front of the strip: a few letters, and their colour, where it is not the accent. */
  readonly label: string;
  readonly color?: string;
  /** What it is about, for screen readers. */
  readonly about: string;
  readonly points: readonly TextPoint[];
  readonly isLoading: boolean;
  readonly testId: string;
  /** Where a click on a bar leads, if not to its call point. The bar stands for the call points from `first` to `last`. */
  readonly leadsTo?: (first: number, last: number) => number | null;
}

/** On the chart's x axis: what became of a text at each request. A click goes there, arrows go from change to change. */
export function StateStrip({ label, color, about, points, isLoading, testId, leadsTo }: Props) {
  const element = useRef<HTMLDivElement>(null);
  const width = useWidth(element);
  const messages = useAppState((state) => state.session.info?.messages ?? 0);
  const at = useAppState((state) => state.projection.at ?? state.session.info?.messages ?? 0);
  const { setAt } = useActions();
  const chart = useChart(width);
  const runs = useMemo(() => stripRuns(chart.points, points, callsBefore(chart)), [chart, points]);
  const go = (to: number | null | undefined) => to != null && setAt(to >= messages ? null : to);
  const onKey = (event: KeyboardEvent): boolean => {
    const direction = { ArrowLeft: -1 as const, ArrowRight: 1 as const }[event.key];
    if (direction !== undefined) go(nextTurn(points, at, direction));
    else if (event.key === 'Home') go(points[0]?.at);
    else if (event.key === 'End') go(points.at(-1)?.at);
    else return false;
    return true;
  };
  const state = stateAt(points, at);
  return (
    <ChartSlider
      ref={element}
      className="find-strip"
      height={HEIGHT}
      label={`${about} in each request; arrow keys go from change to change`}
      most={messages}
      now={at}
      says={state === null ? 'not known yet' : `call #${at}: ${STATE_WORD[state]}`}
      aria-busy={isLoading}
      data-testid={testId}
      data-states={runs.map((run) => run.state).join(' ')}
      onKey={onKey}
      onPlace={(x) => {
        const point = chart.points[barAt(chart, x)];
        const { first, last } = point?.shares ?? { first: point?.at ?? 0, last: point?.at ?? 0 };
        go(leadsTo?.(first, last) ?? point?.at);
      }}
    >
      <Runs label={label} color={color} runs={runs} chart={chart} />
      <StripHead chart={chart} at={at} messages={messages} />
    </ChartSlider>
  );
}

function StripHead({ chart, at, messages }: { readonly chart: Chart; readonly at: number; readonly messages: number }) {
  const x = at >= messages ? xOf(chart, Number.POSITIVE_INFINITY) : xOf(chart, at);
  if (chart.points.length === 0 || !isInSight(chart, x)) return null;
  return <i className="find-playhead" style={{ left: Math.min(x, CHART.left + plotWidth(chart.width)) - 1 }} />;
}

interface RunsProps {
  readonly label: string;
  readonly color: string | undefined;
  readonly runs: readonly StripRun[];
  readonly chart: Chart;
}

const Runs = memo(function Runs({ label, color, runs, chart }: RunsProps) {
  if (chart.width === 0) return null;
  return (
    <svg className="find-runs" width={chart.width} height={HEIGHT} aria-hidden="true">
      <text x={CHART.left - 6} y={FLOOR - 3} textAnchor="end" style={color === undefined ? {} : { fill: color }}>
        {label}
      </text>
      {runs.map((run) => {
        const { x, width } = spanOf(chart, run.from, run.to);
        return (
          <g key={run.from} data-state={run.state}>
            <title>{describeRun(run, lastOf(chart.points[run.to - 1]) ?? run.at)}</title>
            <rect x={x} y={0} width={width} height={HEIGHT} className="find-ground" />
            <Shape state={run.state} x={x} width={width} />
          </g>
        );
      })}
    </svg>
  );
});

/** Height, shape and colour of a run: full block, low block with a dashed lid, hatched foot, cross and floor line, dots. */
function Shape({ state, x, width }: { readonly state: StripRun['state']; readonly x: number; readonly width: number }) {
  switch (state) {
    case 'original':
      return <rect x={x} y={TOP} width={width} height={FLOOR - TOP} className="find-fill" />;
    case 'elsewhere':
      return (
        <>
          <rect x={x} y={TOP + 5} width={width} height={FLOOR - TOP - 5} className="find-fill" />
          <path d={`M${x} ${TOP + 0.75}h${width}`} className="find-line" strokeDasharray="3 2" />
        </>
      );
    case 'partly':
      return (
        <>
          <rect x={x} y={TOP + 8} width={width} height={FLOOR - TOP - 8} className="find-foot" />
          <path d={hatch(x, width)} className="find-line find-thin" />
        </>
      );
    case 'gone':
      return (
        <>
          <rect x={x} y={TOP} width={width} height={FLOOR - TOP} className="find-gone-ground" />
          <rect x={x} y={FLOOR - 2} width={width} height={2} className="find-fill" />
          {width >= 8 && <path d={`M${x + 2.5} ${TOP + 2}l5 5m0 -5l-5 5`} className="find-line" />}
        </>
      );
    case 'not_yet':
      return <path d={`M${x} ${FLOOR - 1}h${width}`} className="find-line" strokeDasharray="2 2" />;
  }
}

/** Slanted lines over the foot of a run. */
function hatch(x: number, width: number): string {
  const height = FLOOR - TOP - 8;
  let path = '';
  for (let left = x; left + height <= x + width; left += 4) path += `M${left} ${FLOOR}l${height} ${-height}`;
  return path;
}
