import { memo } from 'react';
import type { Chart } from '../ui/chart.ts';
import { utcTime } from '../ui/time.ts';
import { xLabels } from './axisTicks.ts';

/** Under the bars: numbers of calls, or local times with UTC on hover. */
export const TimeAxis = memo(function TimeAxis({
  chart,
  messages,
}: {
  readonly chart: Chart;
  readonly messages: number;
}) {
  return xLabels(chart, messages, Date.now()).map(({ at, x, width, text, iso }) => (
    <g key={at} className="axis-tick">
      {iso !== null && <title>{utcTime(iso)}</title>}
      <path d={`M${Math.round(at) + 0.5} ${chart.floor + 1}v3`} className="axis" />
      <text x={x + width / 2} y={chart.height - 4} className="axis-label" textAnchor="middle">
        {text}
      </text>
    </g>
  ));
});
