import { memo } from 'react';
import { CATEGORIES } from '../../core/model/category.ts';
import { useAppState } from '../state/context.tsx';
import {
  CHART,
  type Chart,
  isInSight,
  overheadPath,
  plotHeight,
  plotWidth,
  recordedPath,
  refusedBars,
  seamPath,
  stackPath,
  xOf,
  xOfPosition,
  yOf,
} from '../ui/chart.ts';
import { formatShort } from '../ui/format.ts';
import { lazily } from '../ui/lazily.tsx';
import type { Range } from '../ui/look.ts';
import { flagOf, yTicks } from './axisTicks.ts';
import { Compactions } from './Compactions.tsx';
import { TimeAxis } from './TimeAxis.tsx';
import { UsageMarks } from './UsageMarks.tsx';
import { WindowLine } from './WindowLine.tsx';

const BeforeLine = lazily(() => import('../keep/BeforeLine.tsx').then((file) => file.BeforeLine));

interface Props {
  readonly chart: Chart;
  readonly at: number;
  readonly messages: number;
  readonly window: number | null;
  readonly hovered: number | null;
  /** Positions of the call points selected. */
  readonly area?: Range | null;
}

/** Bars, axes, window line, marks, the area that is selected, and playhead. */
export function ScrubberChart({ chart, at, messages, window, hovered, area = null }: Props) {
  const { width } = chart;
  if (width === 0) return null;
  const bar = hovered === null ? undefined : chart.bars[hovered];
  return (
    <svg className="scrubber-chart" width={width} height={chart.height} aria-hidden="true">
      <Bars chart={chart} />
      <Recorded chart={chart} />
      <BeforeLine chart={chart} />
      <Axis chart={chart} />
      {!chart.isStrip && <TimeAxis chart={chart} messages={messages} />}
      {!chart.isStrip && <Problems chart={chart} />}
      <UsageMarks chart={chart} />
      <Refused chart={chart} />
      {bar && (
        <rect
          x={bar.x}
          y={chart.top}
          width={Math.max(1, bar.width)}
          height={plotHeight(chart)}
          className="bar-hovered"
        />
      )}
      {area !== null && <Area chart={chart} area={area} />}
      {chart.points.length > 0 && <Playhead chart={chart} at={at} messages={messages} />}
      <Compactions chart={chart} window={window} at={at} messages={messages} />
      <WindowLine chart={chart} window={window} />
    </svg>
  );
}

const Bars = memo(function Bars({ chart }: { readonly chart: Chart }) {
  return (
    <>
      <path d={overheadPath(chart)} className="bar-beside" />
      {CATEGORIES.map((category, slot) => (
        <path
          key={category}
          d={stackPath(chart, slot)}
          className="bar-category"
          fill={`var(--cat-${category.replace('_', '-')})`}
        />
      ))}
      <path d={seamPath(chart)} className="bar-seams" />
    </>
  );
});

/** What the requests really held, as their answers record it. */
const Recorded = memo(function Recorded({ chart }: { readonly chart: Chart }) {
  const d = recordedPath(chart);
  return d === '' ? null : <path d={d} className="recorded-line" data-testid="recorded-line" />;
});

/** The floor, and how many tokens there are up the bars. */
function Axis({ chart }: { readonly chart: Chart }) {
  return (
    <>
      <path d={`M${CHART.left} ${chart.floor + 0.5}h${plotWidth(chart.width)}`} className="axis" />
      {!chart.isStrip && (
        <text x={CHART.left - 6} y={chart.floor + 3} className="axis-label" textAnchor="end">
          0
        </text>
      )}
      {yTicks(chart).map((tokens) => (
        <g key={tokens}>
          <path d={`M${CHART.left - 4} ${Math.round(yOf(chart, tokens)) + 0.5}h4`} className="axis" />
          <text x={CHART.left - 6} y={yOf(chart, tokens) + 4} className="axis-label" textAnchor="end">
            {formatShort(tokens)}
          </text>
        </g>
      ))}
    </>
  );
}

/** Small triangles under the axis where the projection found a problem. */
function Problems({ chart }: { readonly chart: Chart }) {
  const problems = useAppState((state) => state.projection.info?.problems);
  const places = [...new Set((problems ?? []).flatMap((one) => one.where?.index ?? []))].slice(0, 200);
  return places.map((index) => {
    const x = xOf(chart, index);
    if (!isInSight(chart, x)) return null;
    return <path key={index} d={`M${x} ${chart.floor + 3}l3.5 5.5h-7z`} className="problem-mark" />;
  });
}

/** A cross over each bar with a request that a provider would refuse. */
function Refused({ chart }: { readonly chart: Chart }) {
  const d = refusedBars(chart)
    .filter(({ refused }) => refused > 0)
    .map(({ x, width }) => `M${x + width / 2 - 2.5} ${chart.top + 1}l5 5m0 -5l-5 5`)
    .join('');
  return d === '' ? null : <path d={d} className="refused-mark" data-testid="refused-marks" />;
}

/** The calls selected, with an edge at each end that can be dragged. */
function Area({ chart, area }: { readonly chart: Chart; readonly area: Range }) {
  const [left, right] = [CHART.left, CHART.left + plotWidth(chart.width)];
  const [from, to] = [xOfPosition(chart, area.from), xOfPosition(chart, area.to)];
  const [begin, end] = [Math.max(left, from), Math.min(right, to)];
  const place = { y: chart.top, height: plotHeight(chart) };
  return (
    <>
      {end > begin && <rect x={begin} width={end - begin} {...place} className="chart-area" />}
      {[from, to].map(
        (x, edge) =>
          isInSight(chart, x) && (
            <rect key={edge === 0 ? 'from' : 'to'} x={x - 1} width={2} {...place} className="area-edge" />
          ),
      )}
    </>
  );
}

function Playhead({ chart, at, messages }: { readonly chart: Chart; readonly at: number; readonly messages: number }) {
  const right = CHART.left + plotWidth(chart.width);
  const { source } = chart;
  const x = at >= messages ? xOfPosition(chart, source.starts[source.points.length] ?? 0) : xOf(chart, at);
  const begin = Math.max(CHART.left, x);
  const flag = flagOf(chart, at, messages);
  return (
    <>
      {begin < right && (
        <rect x={begin} y={chart.top} width={right - begin} height={plotHeight(chart)} className="future" />
      )}
      {flag !== null && (
        <>
          <rect x={Math.min(right, x) - 1} y={12} width={2} height={chart.floor - 8} className="playhead" />
          <rect x={flag.x} y={1} width={flag.width} height={15} rx={4} className="playhead" />
          <text x={flag.x + flag.width / 2} y={12} className="playhead-label" textAnchor="middle">
            {flag.label}
          </text>
        </>
      )}
    </>
  );
}
