import { memo } from 'react';
import { CATEGORIES } from '../../core/model/category.ts';
import type { CompactionMark } from '../../core/protocol/types.ts';
import { useAppState } from '../state/context.tsx';
import {
  CHART,
  type Chart,
  overheadPath,
  PLOT,
  recordedPath,
  shortLabel,
  spaceLabels,
  stackPath,
  xOf,
  yOf,
} from '../ui/chart.ts';
import { formatShort } from '../ui/format.ts';
import { UsageMarks } from './UsageMarks.tsx';

const NO_MARKS: readonly CompactionMark[] = [];
const FLOOR = CHART.top + PLOT;

/** Of a compaction's label, in px: the least room for one, and a letter's width, rather too much than too little. */
const LABEL_ROOM = 74;
/** Below the flag of the call point, which may lie over any of them. */
const LABEL_Y = 27;
const LABEL_HEIGHT = 13;
const LETTER = 6;

interface Props {
  readonly chart: Chart;
  readonly at: number;
  readonly messages: number;
  readonly window: number | null;
  readonly hovered: number | null;
}

/** Bars, axis, window line, marks and playhead. */
export function ScrubberChart({ chart, at, messages, window, hovered }: Props) {
  const marks = useAppState((state) => state.session.info?.compactionMarks ?? NO_MARKS);
  const { width } = chart;
  if (width === 0) return null;
  return (
    <svg className="scrubber-chart" width={width} height={CHART.height} aria-hidden="true">
      <Bars chart={chart} />
      <Recorded chart={chart} />
      <Axis chart={chart} window={window} />
      <Problems chart={chart} />
      <UsageMarks chart={chart} />
      {hovered !== null && hovered >= 0 && (
        <rect
          x={CHART.left + hovered * chart.step}
          y={CHART.top}
          width={Math.max(1, chart.barWidth)}
          height={PLOT}
          className="bar-hovered"
        />
      )}
      {chart.points.length > 0 && <Playhead chart={chart} at={at} messages={messages} />}
      <Compactions chart={chart} marks={marks} window={window} />
      <WindowLabel chart={chart} window={window} />
    </svg>
  );
}

const Bars = memo(function Bars({ chart }: { readonly chart: Chart }) {
  return (
    <>
      <path d={overheadPath(chart)} className="bar-beside" />
      {CATEGORIES.map((category, slot) => (
        <path key={category} d={stackPath(chart, slot)} fill={`var(--cat-${category.replace('_', '-')})`} />
      ))}
    </>
  );
});

/** What the requests really held, as their answers record it. */
const Recorded = memo(function Recorded({ chart }: { readonly chart: Chart }) {
  const d = recordedPath(chart);
  return d === '' ? null : <path d={d} className="recorded-line" data-testid="recorded-line" />;
});

function Axis({ chart, window }: { readonly chart: Chart; readonly window: number | null }) {
  const top = chart.points.length > 0 ? chart.max / 1.06 : 0;
  const right = chart.width - CHART.right;
  return (
    <>
      <path d={`M${CHART.left} ${FLOOR + 0.5}H${right}`} className="axis" />
      <text x={CHART.left - 6} y={FLOOR + 3} className="axis-label" textAnchor="end">
        0
      </text>
      {top > 0 && (
        <text x={CHART.left - 6} y={yOf(chart, top) + 4} className="axis-label" textAnchor="end">
          {formatShort(top)}
        </text>
      )}
      {window !== null && chart.showsWindow && (
        <>
          <path d={`M${CHART.left} ${yOf(chart, window)}H${right}`} className="window-ground" />
          <path d={`M${CHART.left} ${yOf(chart, window)}H${right}`} className="window-line" />
        </>
      )}
      {window !== null && !chart.showsWindow && chart.points.length > 0 && (
        <text x={CHART.left + 4} y={10} className="axis-label">
          window {formatShort(window)} ↑
        </text>
      )}
    </>
  );
}

/** What the dashed line is; over the compactions' lines, which go through it otherwise. */
function WindowLabel({ chart, window }: { readonly chart: Chart; readonly window: number | null }) {
  if (window === null || !chart.showsWindow) return null;
  return (
    <text x={CHART.left + 4} y={windowLabelY(chart, window)} className="window-label">
      window {formatShort(window)}
    </text>
  );
}

function windowLabelY(chart: Chart, window: number): number {
  return yOf(chart, window) - 6;
}

function Compactions({
  chart,
  marks,
  window,
}: Omit<Props, 'at' | 'messages' | 'hovered'> & { readonly marks: readonly CompactionMark[] }) {
  const isOverheadWindow =
    window !== null && chart.showsWindow && Math.abs(windowLabelY(chart, window) - LABEL_Y) < LABEL_HEIGHT;
  const placed = spaceLabels(
    marks.map((mark) => ({ ...mark, x: xOf(chart, mark.at) })),
    // The flag of the next request is at the right end.
    chart.width - 96,
    isOverheadWindow ? CHART.left + LABEL_ROOM : 0,
  );
  return placed.map((mark) => (
    <g key={`${mark.at}${mark.label}`}>
      <title>{mark.label}</title>
      <path d={`M${mark.x} 12V${FLOOR}`} className="compaction-line" data-kind={mark.kind} />
      {mark.free >= LABEL_ROOM && (
        <text x={mark.x + 4} y={LABEL_Y} className="compaction-label">
          {shortLabel(mark.label, Math.min(36, Math.floor((mark.free - 8) / LETTER)))}
        </text>
      )}
    </g>
  ));
}

/** Small triangles under the axis where the projection found a problem. */
function Problems({ chart }: { readonly chart: Chart }) {
  const problems = useAppState((state) => state.projection.info?.problems);
  const places = [...new Set((problems ?? []).flatMap((one) => one.where?.index ?? []))].slice(0, 200);
  return places.map((index) => {
    const x = xOf(chart, index);
    return <path key={index} d={`M${x} ${FLOOR + 3}l3.5 5.5h-7z`} className="problem-mark" />;
  });
}

function Playhead({ chart, at, messages }: { readonly chart: Chart; readonly at: number; readonly messages: number }) {
  const isNext = at >= messages;
  const right = chart.width - CHART.right;
  const x = Math.min(right, isNext ? right : xOf(chart, at));
  const label = isNext ? 'next request' : `call #${at}`;
  const wide = label.length * 6.1 + 12;
  const flag = Math.max(2, Math.min(chart.width - wide - 2, x - wide / 2));
  return (
    <>
      {x < right && <rect x={x} y={CHART.top} width={right - x} height={PLOT} className="future" />}
      <rect x={x - 1} y={12} width={2} height={FLOOR - 8} className="playhead" />
      <rect x={flag} y={1} width={wide} height={15} rx={4} className="playhead" />
      <text x={flag + wide / 2} y={12} className="playhead-label" textAnchor="middle">
        {label}
      </text>
    </>
  );
}
