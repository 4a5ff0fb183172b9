import './lanes.css';
import { memo, useRef } from 'react';
import { useActions, useAppState } from '../state/context.tsx';
import { useChart } from '../state/useChart.ts';
import { barAt, CHART, type Chart } from '../ui/chart.ts';
import { formatDuration } from '../ui/format.ts';
import { useWidth } from '../ui/useExtent.ts';
import { DURATION_WORD, durationBoxes, KINDS, longestOf } from './durations.ts';

const ROW = 9;
const HEIGHT = KINDS.length * ROW + 3;

/** Under the chart: how long answers and tools took, and how long it waited for a person. A click goes to the call. */
export function DurationsStrip() {
  const element = useRef<HTMLDivElement>(null);
  const width = useWidth(element);
  const chart = useChart(width);
  const messages = useAppState((state) => state.session.info?.messages ?? 0);
  const { setAt } = useActions();
  const words = KINDS.flatMap((kind) => {
    const longest = longestOf(chart, kind);
    return longest === 0 ? [] : [`${DURATION_WORD[kind]} up to ${formatDuration(longest)}`];
  });
  if (words.length === 0) return <div ref={element} />;
  const said = `Durations of the calls in sight: ${words.join(', ')}`;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: arrow keys of the chart lead to the same calls
    <div
      ref={element}
      className="lane lane-durations"
      style={{ height: HEIGHT }}
      role="img"
      aria-label={said}
      title={said}
      data-testid="durations-strip"
      onClick={(event) => {
        const bar = barAt(chart, event.clientX - event.currentTarget.getBoundingClientRect().left);
        const at = chart.points[bar]?.at;
        if (at !== undefined) setAt(at >= messages ? null : at);
      }}
    >
      <Boxes chart={chart} />
    </div>
  );
}

const Boxes = memo(function Boxes({ chart }: { readonly chart: Chart }) {
  return (
    <svg className="lane-marks" width={chart.width} height={HEIGHT} aria-hidden="true">
      <text x={CHART.left - 6} y={HEIGHT / 2 + 4} textAnchor="end">
        time
      </text>
      {KINDS.map((kind, row) => {
        const floor = 2 + (row + 1) * ROW - 1;
        const path = durationBoxes(chart, kind)
          .map(({ x, width, share }) => {
            const high = round(share * (ROW - 2));
            return `M${round(x)} ${floor}v${-high}h${round(width)}v${high}z`;
          })
          .join('');
        return <path key={kind} d={path} className={`duration-${kind}`} data-kind={kind} />;
      })}
    </svg>
  );
});

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
