import './filter.css';
import { memo, useMemo, useRef } from 'react';
import type { FilterMatches } from '../../core/protocol/types.ts';
import { useActions, useAppState } from '../state/context.tsx';
import { colorsInUse } from '../state/filterActions.ts';
import { useChart } from '../state/useChart.ts';
import { CHART, type Chart, isInSight, xOf } from '../ui/chart.ts';
import { formatCount } from '../ui/format.ts';
import { useWidth } from '../ui/useExtent.ts';
import { filterColor } from './colors.ts';

const HEIGHT = 14;

interface Strip {
  readonly name: string;
  readonly color: string;
  readonly matches: FilterMatches;
}

/** Under the chart, on its x axis: where the rows are that fit the filter and each named colour. A click goes to the nearest. */
export function FilterStrips() {
  const element = useRef<HTMLDivElement>(null);
  const width = useWidth(element);
  const info = useAppState((state) => state.projection.info?.filter ?? null);
  const filter = useAppState((state) => state.filter);
  const chart = useChart(width);
  const strips = useMemo(() => stripsOf(info, colorsInUse({ filter })), [info, filter]);
  return (
    <div ref={element} className="filter-strips">
      {strips.map((strip) => (
        <StripLine key={strip.name} strip={strip} chart={chart} />
      ))}
    </div>
  );
}

function stripsOf(
  info: { readonly rows: FilterMatches | null; readonly colors: readonly FilterMatches[] } | null,
  colors: ReturnType<typeof colorsInUse>,
): readonly Strip[] {
  if (info === null) return [];
  const rows = info.rows === null ? [] : [{ name: 'filter', color: 'var(--mute)', matches: info.rows }];
  const named = info.colors.flatMap((matches, at) => {
    const color = colors[at];
    return color === undefined ? [] : [{ name: color.name, color: filterColor(color.color), matches }];
  });
  return [...rows, ...named].filter(({ matches }) => matches.matched !== null);
}

function StripLine({ strip, chart }: { readonly strip: Strip; readonly chart: Chart }) {
  const { goToMessage } = useActions();
  const { name, color, matches } = strip;
  const words = `${name}: ${formatCount(matches.matched ?? 0)} of ${formatCount(matches.of)} rows fit`;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: n and the list lead to the same rows by key
    <div
      className="filter-strip"
      style={{ height: HEIGHT }}
      role="img"
      aria-label={words}
      title={words}
      data-testid="filter-strip"
      data-name={name}
      data-matched={matches.matched}
      onClick={(event) => {
        const x = event.clientX - event.currentTarget.getBoundingClientRect().left;
        const nearest = nearestOf(matches.at, (index) => xOf(chart, index), x);
        if (nearest !== null) void goToMessage(nearest, 0);
      }}
    >
      <Ticks name={name} color={color} at={matches.at} chart={chart} />
    </div>
  );
}

function nearestOf(at: readonly number[], place: (index: number) => number, x: number): number | null {
  let best: number | null = null;
  for (const index of at) if (best === null || Math.abs(place(index) - x) < Math.abs(place(best) - x)) best = index;
  return best;
}

interface TicksProps {
  readonly name: string;
  readonly color: string;
  readonly at: readonly number[];
  readonly chart: Chart;
}

const Ticks = memo(function Ticks({ name, color, at, chart }: TicksProps) {
  if (chart.width === 0) return null;
  const places = at.map((index) => xOf(chart, index)).filter((x) => isInSight(chart, x));
  const path = places.map((x) => `M${Math.round(x) + 0.5} 3v${HEIGHT - 6}`).join('');
  return (
    <svg className="filter-ticks" width={chart.width} height={HEIGHT} aria-hidden="true">
      <text x={CHART.left - 6} y={HEIGHT - 3} textAnchor="end">
        {name.length > 6 ? `${name.slice(0, 5).trimEnd()}…` : name}
      </text>
      <path d={path} stroke={color} />
    </svg>
  );
});
