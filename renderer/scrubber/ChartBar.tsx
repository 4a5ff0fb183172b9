import { ZoomIn, ZoomOut } from 'lucide-react';
import { memo } from 'react';
import { useActions, useAppState } from '../state/context.tsx';
import type { Chart } from '../ui/chart.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { lazily } from '../ui/lazily.tsx';
import { Segmented } from '../ui/Segmented.tsx';
import { utcTime } from '../ui/time.ts';
import { describeSight, describeSpan, inSightOf } from './words.ts';

const Legend = lazily(() => import('./Legend.tsx').then((file) => file.Legend));
const Overview = lazily(() => import('./Overview.tsx').then((file) => file.Overview), OverviewPlace);

/** Keeps its place until its code is there. */
function OverviewPlace() {
  return <div className="chart-overview" />;
}

/**
 * Over the chart: what it is drawn along, what its colours mean, the whole session small, and what of it is in sight. Drawn
 * again for another chart: that one is computed concerns its state alone.
 */
export const ChartBar = memo(function ChartBar({ chart }: { readonly chart: Chart }) {
  const { setAxis, zoom, lookAt } = useActions();
  const axis = useAppState((state) => state.ui.axis);
  const isTimed = useAppState((state) => state.series.series?.points.some(({ time }) => time !== undefined) ?? false);
  const isWhole = useAppState((state) => state.timeline.look === null);
  return (
    <div className="chart-bar" role="toolbar" aria-label="Chart" data-testid="chart-bar">
      {isTimed && (
        <Segmented
          label="What the chart is drawn along"
          value={axis}
          options={[
            { value: 'calls', title: 'Calls' },
            { value: 'time', title: 'Time' },
          ]}
          onChange={setAxis}
        />
      )}
      <Legend chart={chart} />
      <Overview chart={chart} />
      <ChartState />
      <Sight chart={chart} />
      <IconButton label="Zoom out" keys="-" onClick={() => zoom(2)} testId="zoom-out">
        <ZoomOut size={14} aria-hidden />
      </IconButton>
      <IconButton label="Zoom in" keys="+" onClick={() => zoom(0.5)} testId="zoom-in">
        <ZoomIn size={14} aria-hidden />
      </IconButton>
      <button
        type="button"
        className="button chart-whole"
        disabled={isWhole}
        title="Show the whole session: 0"
        onClick={() => lookAt(null)}
        data-testid="zoom-whole"
      >
        Whole session
      </button>
    </div>
  );
});

/** How many calls are in sight, and when they were made: local time, UTC on hover. */
function Sight({ chart }: { readonly chart: Chart }) {
  const sight = inSightOf(chart);
  const { begins, ends, first, last } = sight;
  if (sight.all === 0) return null;
  return (
    <span
      className="chart-sight num"
      role="status"
      data-testid="chart-sight"
      data-calls={sight.calls}
      data-first={first}
      data-last={last}
    >
      {describeSight(sight)}
      {begins !== null && ends !== null && (
        <time className="mute" title={`${utcTime(begins)} – ${utcTime(ends)}`}>
          {describeSpan(begins, ends)}
        </time>
      )}
    </span>
  );
}

/** How the figures were obtained, how many calls they stand for, and whether they are still coming. */
function ChartState() {
  const { series, computing, error } = useAppState((state) => state.series);
  if (error !== null)
    return (
      <span className="scrubber-state scrubber-error">Tokens per call could not be computed: {error.message}</span>
    );
  if (!series) return <span className="scrubber-state">{computing ? 'computing…' : ''}</span>;
  if (series.problem !== undefined)
    return (
      <span className="scrubber-state scrubber-error">Only part of the bars follow the policy: {series.problem}</span>
    );
  const sampled = series.sampled ? `${series.points.length} of ${series.callPoints.toLocaleString('en')} calls · ` : '';
  return (
    <span className="scrubber-state" role="status">
      {computing
        ? `${series.complete ? 'before this change' : 'partly raw'} · computing…`
        : `${sampled}${series.provenance}`}
    </span>
  );
}
