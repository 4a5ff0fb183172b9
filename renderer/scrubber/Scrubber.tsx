import './scrubber.css';
import { type KeyboardEvent, type PointerEvent, useMemo, useRef, useState } from 'react';
import { useActions, useAppState } from '../state/context.tsx';
import { useLoadUsage } from '../state/useLoadUsage.ts';
import { barAt, CHART, layOut, recordedOf, requestOf } from '../ui/chart.ts';
import { formatTokens } from '../ui/format.ts';
import { useWidth } from '../ui/useWidth.ts';
import { ScrubberChart } from './ScrubberChart.tsx';
import { ScrubberTip } from './ScrubberTip.tsx';

/** Tokens of each request, and where in the session we are. Drag, click, arrow keys. */
export function Scrubber() {
  const element = useRef<HTMLDivElement>(null);
  useLoadUsage();
  const width = useWidth(element);
  const { series, computing, error } = useAppState((state) => state.series);
  const at = useAppState((state) => state.projection.at ?? state.session.info?.messages ?? 0);
  const window = useAppState((state) => state.projection.info?.window ?? null);
  const messages = useAppState((state) => state.session.info?.messages ?? 0);
  const { setAt, step } = useActions();
  const [hovered, setHovered] = useState<number | null>(null);
  const chart = useMemo(() => layOut(series?.points ?? [], width, window, series?.beside), [series, width, window]);

  const barUnder = (event: PointerEvent<HTMLDivElement>) =>
    barAt(chart, event.clientX - event.currentTarget.getBoundingClientRect().left);
  const moveTo = (bar: number) => {
    const point = chart.points[bar];
    if (point && point.at !== at) setAt(point.at >= messages ? null : point.at);
  };
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    moveTo(barUnder(event));
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    const bar = barUnder(event);
    setHovered(bar);
    if (event.buttons === 1 && event.currentTarget.hasPointerCapture(event.pointerId)) moveTo(bar);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.shiftKey ? 'turn' : 'call';
    const delta = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageUp: 10, PageDown: -10 }[event.key];
    if (delta !== undefined) void step(delta, by);
    else if (event.key === 'Home') moveTo(0);
    else if (event.key === 'End') setAt(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const shown = chart.points.find((point) => point.at >= at);
  const total = shown && series ? `, ${formatTokens(requestOf(chart, shown), series.provenance)} tokens` : '';
  return (
    <div
      ref={element}
      id="scrubber"
      className="scrubber"
      style={{ height: CHART.height }}
      role="slider"
      tabIndex={0}
      aria-label="Call point"
      aria-valuemin={chart.points[0]?.at ?? 0}
      aria-valuemax={messages}
      aria-valuenow={at}
      aria-valuetext={`${at >= messages ? 'next request' : `call ${at}`}${shown ? `, turn ${shown.turn}` : ''}${total}`}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerLeave={() => setHovered(null)}
      onKeyDown={onKeyDown}
      data-testid="scrubber"
      data-at={at}
    >
      <ScrubberChart chart={chart} at={at} messages={messages} window={window} hovered={hovered} />
      <ScrubberState computing={computing} error={error?.message ?? null} />
      {hovered !== null && series && (
        <ScrubberTip chart={chart} bar={hovered} provenance={series.provenance} messages={messages} />
      )}
    </div>
  );
}

/** How the figures were obtained, how many calls they stand for, and whether they are still coming. */
function ScrubberState({ computing, error }: { readonly computing: boolean; readonly error: string | null }) {
  const series = useAppState((state) => state.series.series);
  if (error)
    return <span className="scrubber-state scrubber-error">Tokens per call could not be computed: {error}</span>;
  if (!series) return <span className="scrubber-state">{computing ? 'computing…' : ''}</span>;
  if (series.problem !== undefined)
    return (
      <span className="scrubber-state scrubber-error">Only part of the bars follow the policy: {series.problem}</span>
    );
  const sampled = series.sampled ? `${series.points.length} of ${series.callPoints.toLocaleString('en')} calls · ` : '';
  return (
    <span className="scrubber-state" role="status">
      {series.points.some((point) => recordedOf(point) !== null) && (
        <span className="scrubber-legend">
          <i className="swatch-recorded" aria-hidden /> recorded input ·{' '}
        </span>
      )}
      {computing
        ? `${series.complete ? 'before this change' : 'partly raw'} · computing…`
        : `${sampled}${series.provenance}`}
    </span>
  );
}
