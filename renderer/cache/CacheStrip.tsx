import './cache.css';
import { type KeyboardEvent, memo, type PointerEvent, useMemo, useRef, useState } from 'react';
import { useAppState } from '../state/context.tsx';
import { useChart } from '../state/useChart.ts';
import { ChartSlider } from '../ui/ChartSlider.tsx';
import { type Bar, barAt, CHART, isInSight, xOf } from '../ui/chart.ts';
import { useWidth } from '../ui/useExtent.ts';
import { CacheCard } from './CacheCard.tsx';
import { CacheTip } from './CacheTip.tsx';
import { type CacheCell, cacheCells, nextBreak } from './cells.ts';
import { describeCell } from './words.ts';

const HEIGHT = 16;
const BAR = 9;

/** Under the bars: what each request keeps of the one before it, and where a stage broke that. Click or Enter explains. */
export function CacheStrip() {
  // Which request is pointed at, or explained, is not that of another transcript.
  return <Strip key={useAppState((state) => state.session.id)} />;
}

function Strip() {
  const element = useRef<HTMLDivElement>(null);
  const width = useWidth(element);
  const series = useAppState((state) => state.series.series);
  const callPoint = useAppState((state) => state.projection.at);
  const [hovered, setHovered] = useState<number | null>(null);
  const [focused, setFocused] = useState<number | null>(null);
  const [opened, setOpened] = useState<number | null>(null);
  const beside = series?.beside ?? 0;
  const chart = useChart(width);
  const cells = useMemo(() => cacheCells(chart.points, chart.points.length, beside), [chart, beside]);
  const active = focused ?? Math.max(0, cells.length - 1);
  const under = (event: PointerEvent<HTMLElement>) =>
    barAt(chart, event.clientX - event.currentTarget.getBoundingClientRect().left);
  const onKey = (event: KeyboardEvent): boolean => {
    const direction = { ArrowLeft: -1 as const, ArrowRight: 1 as const }[event.key];
    if (direction !== undefined) {
      const next = nextBreak(cells, active, direction);
      setFocused(next);
      setHovered(next);
    } else if (event.key === 'Enter' || event.key === ' ') setOpened(active);
    else return false;
    return true;
  };
  if (!series) return <div ref={element} className="cache-strip" style={{ height: HEIGHT }} />;
  const shown = opened ?? hovered;
  const cell = shown === null ? undefined : cells[shown];
  const bar = shown === null ? undefined : chart.bars[shown];
  const at = cells[active];
  return (
    <ChartSlider
      ref={element}
      className="cache-strip"
      height={HEIGHT}
      label="Cache kept by each request; arrow keys go from break to break"
      most={Math.max(0, cells.length - 1)}
      now={active}
      says={at ? describeCell(at.point, at.total, series.provenance) : 'no requests'}
      data-testid="cache-strip"
      data-breaks={cells.filter(({ state }) => state === 'broken').length}
      data-lost={cells.filter(({ state }) => state === 'lost').length}
      data-reported={cells.filter(({ reported }) => reported).length}
      onPointerMove={(event) => setHovered(under(event))}
      onPointerLeave={() => setHovered(null)}
      onPlace={(x) => {
        const bar = barAt(chart, x);
        setFocused(bar);
        setOpened(bar);
      }}
      onBlur={() => setHovered(null)}
      onKey={onKey}
    >
      <Bars cells={cells} bars={chart.bars} width={width} />
      {callPoint !== null && isInSight(chart, xOf(chart, callPoint)) && (
        <i className="cache-playhead" style={{ left: xOf(chart, callPoint) - 1 }} />
      )}
      {bar && <i className="cache-hovered" style={{ left: bar.x, width: Math.max(1, bar.width) }} />}
      {cell && bar && opened === null && <CacheTip cell={cell} x={bar.x} width={width} series={series} />}
      {cell && bar && opened !== null && (
        <CacheCard cell={cell} x={bar.x} series={series} onClose={() => setOpened(null)} />
      )}
    </ChartSlider>
  );
}

interface BarsProps {
  readonly cells: readonly CacheCell[];
  readonly bars: readonly Bar[];
  readonly width: number;
}

/** Filled = kept, above it new; a break is a bar of its own colour with a mark, what is lost though nothing broke one of another. What the
 * provider reported is a mark alone: it is of the recorded request, the bar of the one under the policy. */
const Bars = memo(function Bars({ cells, bars, width }: BarsProps) {
  if (width === 0) return null;
  const path = (rangeOf: (cell: CacheCell) => readonly [number, number] | null) =>
    cells
      .map((cell, at) => {
        const [range, bar] = [rangeOf(cell), bars[at]];
        return range === null || bar === undefined ? '' : boxPath(bar.x, bar.width, range);
      })
      .join('');
  return (
    <svg className="cache-bars" width={width} height={HEIGHT} aria-hidden="true">
      <text x={CHART.left - 6} y={BAR} textAnchor="end">
        cache
      </text>
      <path
        className="cache-new"
        d={path(({ state, kept }) => (state === 'grew' || state === 'uncached' ? [kept, 1] : null))}
      />
      <path className="cache-lost" d={path(({ state, kept }) => (state === 'lost' ? [kept, 1] : null))} />
      <path className="cache-lost" d={path(({ state, kept }) => (state === 'broken' ? [kept, 1] : null))} />
      <path className="cache-kept" d={path(({ kept }) => (kept > 0 ? [0, kept] : null))} />
      {cells.map((cell, at) => (
        <Mark key={cell.point.at} cell={cell} middle={round((bars[at]?.x ?? 0) + (bars[at]?.width ?? 0) / 2)} />
      ))}
    </svg>
  );
});

/** Under a bar: what the policy or time broke, and next to it what the provider reported. */
function Mark({ cell: { state, reported }, middle }: { readonly cell: CacheCell; readonly middle: number }) {
  const isTaken = state === 'broken' || state === 'lost';
  return (
    <>
      {state === 'broken' && <path className="cache-break" d={`M${middle} ${BAR + 2}l2.5 4.5h-5z`} />}
      {state === 'lost' && <circle className="cache-pause" cx={middle} cy={BAR + 4.25} r={1.9} />}
      {reported && (
        <path
          className="cache-reported"
          d={`M${middle + (isTaken ? 6 : 0)} ${BAR + 1.75}l2.5 2.5l-2.5 2.5l-2.5 -2.5z`}
        />
      )}
    </>
  );
}

/** A box from one share of the bar's height to another, both from below. */
function boxPath(x: number, width: number, [from, to]: readonly [number, number]): string {
  if (to <= from) return '';
  const [top, bottom] = [BAR - to * BAR + 1, BAR - from * BAR + 1];
  return `M${round(x)} ${round(bottom)}V${round(top)}h${round(width)}V${round(bottom)}z`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
