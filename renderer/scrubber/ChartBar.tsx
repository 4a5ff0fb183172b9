import { ZoomIn, ZoomOut } from 'lucide-react';
import { CATEGORIES, CATEGORY_LABEL } from '../../core/model/category.ts';
import { recordedInputOf, refusedOf } from '../../core/protocol/seriesTypes.ts';
import { useActions, useAppState } from '../state/context.tsx';
import type { Chart } from '../ui/chart.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { Segmented } from '../ui/Segmented.tsx';
import { utcTime } from '../ui/time.ts';
import { Overview } from './Overview.tsx';
import { describeSight, describeSpan, inSightOf } from './words.ts';

interface Props {
  readonly chart: Chart;
  readonly computing: boolean;
  readonly error: string | null;
}

/** Over the chart: what it is drawn along, what its colours mean, the whole session small, and what of it is in sight. */
export function ChartBar({ chart, computing, error }: Props) {
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
      <ChartState computing={computing} error={error} />
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
}

/** What the colours in sight mean. */
function Legend({ chart }: { readonly chart: Chart }) {
  const { points } = chart;
  const shown = CATEGORIES.filter((_, slot) => points.some(({ byCategory }) => (byCategory[slot] ?? 0) > 0));
  const isLoaded = points.some(({ loaded }) => loaded !== undefined);
  return (
    <ul className="chart-legend" aria-label="Colours of the chart" data-testid="chart-legend">
      {(chart.beside > 0 || isLoaded) && (
        <li>
          <i className="swatch-beside" aria-hidden /> overhead
        </li>
      )}
      {shown.map((category) => (
        <li key={category}>
          <i style={{ background: `var(--cat-${category.replace('_', '-')})` }} aria-hidden />{' '}
          {CATEGORY_LABEL[category]}
        </li>
      ))}
      {points.some((point) => recordedInputOf(point) !== null) && (
        <li>
          <i className="swatch-recorded" aria-hidden /> recorded input
        </li>
      )}
      {points.some((point) => refusedOf(point).refused > 0) && (
        <li>
          <b className="legend-refused" aria-hidden>
            ✕
          </b>{' '}
          would be refused
        </li>
      )}
    </ul>
  );
}

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
function ChartState({ computing, error }: { readonly computing: boolean; readonly error: string | null }) {
  const series = useAppState((state) => state.series.series);
  if (error !== null)
    return <span className="scrubber-state scrubber-error">Tokens per call could not be computed: {error}</span>;
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
