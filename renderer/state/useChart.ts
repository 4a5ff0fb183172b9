import { useMemo } from 'react';
import { type Chart, layOut } from '../ui/chart.ts';
import { useAppState } from './context.tsx';
import { isChartStrip } from './uiActions.ts';

const NO_POINTS: readonly never[] = [];

/**
 * The chart's x axis for whatever is drawn under it, `width` px wide: what of the session is shown, along calls or time.
 * With `window` and `beside` (tokens) the y axis of the bars, too.
 */
export function useChart(width: number, window: number | null = null, beside = 0): Chart {
  const points = useAppState((state) => state.series.series?.points ?? NO_POINTS);
  const axis = useAppState((state) => state.ui.axis);
  const look = useAppState((state) => state.timeline.look);
  const isStrip = useAppState((state) => isChartStrip(state.ui));
  const hasLabels = useAppState((state) => (state.session.info?.compactionMarks.length ?? 0) > 0);
  return useMemo(
    () => layOut(points, width, window, beside, { axis, look, isStrip, hasLabels }),
    [points, width, window, beside, axis, look, isStrip, hasLabels],
  );
}
