import { type KeyboardEvent, memo, type PointerEvent, useMemo, useRef } from 'react';
import type { ComparedAlong } from '../../core/protocol/compareTypes.ts';
import { useActions, useAppState } from '../state/context.tsx';
import { ChartSlider } from '../ui/ChartSlider.tsx';
import { formatShort } from '../ui/format.ts';
import { useWidth } from '../ui/useExtent.ts';
import {
  betweenPath,
  callAt,
  LINES,
  LINES_HEIGHT,
  type LineChart,
  layOutLines,
  linePath,
  xOfCall,
  yOfTokens,
} from './chartLines.ts';
import type { Along } from './useCompared.ts';

const NO_POINTS: ComparedAlong['points'] = [];
const FLOOR = LINES.top + LINES.plot;

/** Tokens of each request under both policies, what breaks the cache, and where one is. Drag, click, arrow keys. */
export function CompareChart({ along: { value } }: { readonly along: Along }) {
  const element = useRef<HTMLDivElement>(null);
  const width = useWidth(element);
  const messages = useAppState((state) => state.session.info?.messages ?? 0);
  const at = useAppState((state) => state.projection.at ?? state.session.info?.messages ?? 0);
  const { setAt, step } = useActions();
  const points = value?.points ?? NO_POINTS;
  const chart = useMemo(() => layOutLines(points, width), [points, width]);
  const moveTo = (event: PointerEvent<HTMLDivElement>) => {
    const to = callAt(chart, event.clientX - event.currentTarget.getBoundingClientRect().left);
    if (to !== null && to !== at) setAt(to >= messages ? null : to);
  };
  const onKey = (event: KeyboardEvent): boolean => {
    const delta = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageUp: 10, PageDown: -10 }[event.key];
    if (delta !== undefined) void step(delta, event.shiftKey ? 'turn' : 'call');
    else if (event.key === 'Home') setAt(points[0]?.at ?? null);
    else if (event.key === 'End') setAt(null);
    else return false;
    return true;
  };
  return (
    <ChartSlider
      ref={element}
      className="compare-chart"
      height={LINES_HEIGHT}
      label="Call point"
      least={points[0]?.at ?? 0}
      most={messages}
      now={at}
      says={at >= messages ? 'next request' : `call ${at}`}
      data-testid="compare-chart"
      data-at={at}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        moveTo(event);
      }}
      onPointerMove={(event) => {
        if (event.buttons === 1 && event.currentTarget.hasPointerCapture(event.pointerId)) moveTo(event);
      }}
      onKey={onKey}
    >
      {width > 0 && value !== null && (
        <svg width={width} height={LINES_HEIGHT} aria-hidden="true">
          <Lines chart={chart} />
          <Strip chart={chart} side="a" breaks={value.a.breaksAt} />
          <Strip chart={chart} side="b" breaks={value.b.breaksAt} />
          <FirstDifference chart={chart} at={value.firstDifferenceAt} />
          <Playhead chart={chart} at={at} messages={messages} />
        </svg>
      )}
    </ChartSlider>
  );
}

const Lines = memo(function Lines({ chart }: { readonly chart: LineChart }) {
  const top = chart.max / 1.06;
  const last = chart.points.at(-1);
  return (
    <>
      <path className="axis" d={`M${LINES.left} ${FLOOR + 0.5}H${chart.width - LINES.right}`} />
      <text className="axis-label" x={LINES.left - 6} y={FLOOR + 3} textAnchor="end">
        0
      </text>
      <text className="axis-label" x={LINES.left - 6} y={yOfTokens(chart, top) + 4} textAnchor="end">
        {formatShort(top)}
      </text>
      <path className="compare-between" d={betweenPath(chart)} />
      <path className="compare-line" data-side="a" d={linePath(chart, 'a')} />
      <path className="compare-line" data-side="b" d={linePath(chart, 'b')} />
      {last !== undefined && Math.abs(yOfTokens(chart, last.a) - yOfTokens(chart, last.b)) > 12 && (
        <>
          <EndLabel chart={chart} side="a" tokens={last.a} other={last.b} />
          <EndLabel chart={chart} side="b" tokens={last.b} other={last.a} />
        </>
      )}
    </>
  );
});

interface EndProps {
  readonly chart: LineChart;
  readonly side: 'a' | 'b';
  readonly tokens: number;
  readonly other: number;
}

/** Above the upper line, under the lower one, so that no label crosses the other; clear of the flag above and of the axis. */
function EndLabel({ chart, side, tokens, other }: EndProps) {
  const at = yOfTokens(chart, tokens);
  const isAbove = tokens >= other ? at > LINES.top + 12 : at + 11 > FLOOR - 3;
  const y = at + (isAbove ? -4 : 11);
  return (
    <text className="compare-end" data-side={side} x={chart.width - LINES.right - 4} y={y} textAnchor="end">
      {side.toUpperCase()} {formatShort(tokens)}
    </text>
  );
}

interface StripProps {
  readonly chart: LineChart;
  readonly side: 'a' | 'b';
  readonly breaks: readonly number[];
}

const Strip = memo(function Strip({ chart, side, breaks }: StripProps) {
  const y = FLOOR + LINES.gap + (side === 'a' ? 0 : LINES.strip + LINES.gap);
  return (
    <g className="compare-strip" data-side={side} data-breaks={breaks.length}>
      <text className="axis-label" x={LINES.left - 6} y={y + 8} textAnchor="end">
        cache {side.toUpperCase()}
      </text>
      <rect x={LINES.left} y={y + 1} width={chart.width - LINES.left - LINES.right} height={LINES.strip - 2} />
      <path d={breaks.map((at) => `M${Math.round(xOfCall(chart, at)) + 0.5} ${y}v${LINES.strip}`).join('')} />
    </g>
  );
});

function FirstDifference({ chart, at }: { readonly chart: LineChart; readonly at: number | null }) {
  if (at === null) return null;
  const x = xOfCall(chart, at);
  const isLeft = x < chart.width / 2;
  return (
    <>
      <path className="compare-first-line" d={`M${x} 8V${FLOOR}`} />
      <text className="axis-label" x={isLeft ? x + 4 : x - 4} y={14} textAnchor={isLeft ? 'start' : 'end'}>
        first difference, call #{at}
      </text>
    </>
  );
}

function Playhead({
  chart,
  at,
  messages,
}: {
  readonly chart: LineChart;
  readonly at: number;
  readonly messages: number;
}) {
  const right = chart.width - LINES.right;
  const isNext = at >= messages;
  const x = isNext ? right : Math.min(right, xOfCall(chart, at) + chart.step / 2);
  const label = isNext ? 'next request' : `call #${at}`;
  const wide = label.length * 6.1 + 12;
  const flag = Math.max(2, Math.min(chart.width - wide - 2, x - wide / 2));
  return (
    <>
      <rect x={x - 1} y={12} width={2} height={LINES_HEIGHT - 12 - LINES.bottom} className="playhead" />
      <rect x={flag} y={1} width={wide} height={15} rx={4} className="playhead" />
      <text x={flag + wide / 2} y={12} className="playhead-label" textAnchor="middle">
        {label}
      </text>
    </>
  );
}
