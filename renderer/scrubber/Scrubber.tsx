import './scrubber.css';
import { type KeyboardEvent, useRef, useState } from 'react';
import { useActions, useApp, useAppState } from '../state/context.tsx';
import { useChart } from '../state/useChart.ts';
import { useLoadUsage } from '../state/useLoadUsage.ts';
import { barAt, barOf, requestOf } from '../ui/chart.ts';
import { formatTokens } from '../ui/format.ts';
import { lazily } from '../ui/lazily.tsx';
import { useWidth } from '../ui/useExtent.ts';
import { ChartBar } from './ChartBar.tsx';
import { showRowsOfArea } from './rowsOfArea.ts';
import { ScrubberChart } from './ScrubberChart.tsx';
import { ScrubberTip } from './ScrubberTip.tsx';
import { useChartPointer, useChartWheel } from './useChartPointer.ts';

const AreaLine = lazily(() => import('./AreaLine.tsx').then((file) => file.AreaLine));

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageUp: 10,
  PageDown: -10,
};

/** Tokens of each request, and where in the session we are. Wheel, drag and keys zoom and select: docs/timeline.md. */
export function Scrubber() {
  const element = useRef<HTMLDivElement>(null);
  useLoadUsage();
  const width = useWidth(element);
  const series = useAppState((state) => state.series.series);
  const at = useAppState((state) => state.projection.at ?? state.session.info?.messages ?? 0);
  const window = useAppState((state) => state.projection.info?.window ?? null);
  const messages = useAppState((state) => state.session.info?.messages ?? 0);
  const area = useAppState((state) => state.timeline.area);
  const { setAt } = useActions();
  const [hovered, setHovered] = useState<number | null>(null);
  const chart = useChart(width, window, series?.beside);
  const goTo = (px: number) => {
    const point = chart.points[barAt(chart, px)];
    if (point && point.at !== at) setAt(point.at >= messages ? null : point.at);
  };
  const pointer = useChartPointer({ chart, area, at, goTo });
  const onKeyDown = useChartKeys();
  useChartWheel(element);
  const shown = barOf(chart, at)?.point;
  const total = shown && series ? `, ${formatTokens(requestOf(chart, shown), series.provenance)} tokens` : '';
  return (
    <>
      <ChartBar chart={chart} />
      <div
        ref={element}
        id="scrubber"
        className="scrubber"
        style={{ height: chart.height }}
        role="slider"
        tabIndex={0}
        aria-label="Call point"
        aria-valuemin={series?.points[0]?.at ?? 0}
        aria-valuemax={messages}
        aria-valuenow={at}
        aria-valuetext={`${at >= messages ? 'next request' : `call ${at}`}${shown ? `, turn ${shown.turn}` : ''}${total}`}
        {...pointer}
        onPointerMove={(event) => {
          setHovered(barAt(chart, event.clientX - event.currentTarget.getBoundingClientRect().left));
          pointer.onPointerMove(event);
        }}
        onPointerLeave={() => setHovered(null)}
        onKeyDown={onKeyDown}
        data-testid="scrubber"
        data-at={at}
      >
        <ScrubberChart chart={chart} at={at} messages={messages} window={window} hovered={hovered} area={area} />
        {hovered !== null && series && (
          <ScrubberTip chart={chart} bar={hovered} provenance={series.provenance} messages={messages} />
        )}
      </div>
      {area !== null && <AreaLine area={area} />}
    </>
  );
}

/** Arrow keys go from call to call; Enter shows the rows of the area, Esc takes it away. Zooming has keys everywhere. */
function useChartKeys() {
  const app = useApp();
  const { setAt, step, setArea } = useActions();
  const first = useAppState((state) => state.series.series?.points[0]?.at ?? null);
  const hasArea = useAppState((state) => state.timeline.area !== null);
  return (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const delta = STEPS[event.key];
    if (delta !== undefined) void step(delta, event.shiftKey ? 'turn' : 'call');
    else if (event.key === 'Home' && first !== null) setAt(first);
    else if (event.key === 'End') setAt(null);
    else if (event.key === 'Enter' && hasArea) void showRowsOfArea(app);
    else if (event.key === 'Escape' && hasArea) setArea(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
}
