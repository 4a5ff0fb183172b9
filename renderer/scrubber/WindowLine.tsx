import { CHART, type Chart, plotWidth, yOf } from '../ui/chart.ts';
import { formatShort } from '../ui/format.ts';

/** The window's line over the bars, and what it is; where it lies far above them, that. */
export function WindowLine({ chart, window }: { readonly chart: Chart; readonly window: number | null }) {
  if (window === null || chart.points.length === 0) return null;
  if (chart.isStrip && !chart.showsWindow) return null;
  const line = `M${CHART.left} ${yOf(chart, window)}h${plotWidth(chart.width)}`;
  return chart.showsWindow ? (
    <>
      <path d={line} className="window-ground" />
      <path d={line} className="window-line" />
      <text x={CHART.left + 4} y={windowLabelY(chart, window)} className="window-label">
        window {formatShort(window)}
      </text>
    </>
  ) : (
    <text x={CHART.left + 4} y={windowLabelY(chart, window)} className="axis-label">
      window {formatShort(window)} ↑
    </text>
  );
}

/** Baseline of its label. */
export function windowLabelY(chart: Chart, window: number): number {
  return chart.showsWindow ? yOf(chart, window) - 6 : 10;
}
