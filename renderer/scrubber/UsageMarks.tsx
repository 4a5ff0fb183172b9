import { useUsage } from '../state/useUsage.ts';
import { CHART, type Chart, PLOT, xOf } from '../ui/chart.ts';

const MOST = 300;
const TOP = CHART.top;
const FLOOR = CHART.top + PLOT;

/** Requests that stand out by their recorded usage: a wedge above for a fall of the input, a dot below for a cache miss.
 * The chart's tip says what they are. */
export function UsageMarks({ chart }: { readonly chart: Chart }) {
  const { info } = useUsage();
  if (chart.points.length === 0) return null;
  return (info?.marks ?? []).slice(0, MOST).map(({ at, kind }) => {
    const x = xOf(chart, at) + chart.barWidth / 2;
    return (
      <g key={`${kind} ${at}`} className={`usage-place usage-place-${kind}`} data-at={at}>
        {kind === 'drop' ? <path d={`M${x - 4} ${TOP - 2}h8l-4 7z`} /> : <circle cx={x} cy={FLOOR + 6} r={2.5} />}
      </g>
    );
  });
}
