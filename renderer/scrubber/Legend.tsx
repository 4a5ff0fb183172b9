import { Popover } from 'radix-ui';
import { CATEGORIES, CATEGORY_LABEL } from '../../core/model/category.ts';
import { recordedInputOf, refusedOf } from '../../core/protocol/seriesTypes.ts';
import { useTried } from '../state/useTried.ts';
import type { Chart } from '../ui/chart.ts';

/** What the colours and marks in sight mean: in the bar where there is room, else behind a button. */
export function Legend({ chart }: { readonly chart: Chart }) {
  return (
    <div className="legend" data-testid="chart-legend">
      <Entries chart={chart} />
      <Popover.Root>
        <Popover.Trigger asChild>
          <button type="button" className="button legend-button">
            Legend
          </button>
        </Popover.Trigger>
        <Popover.Portal>
          <Popover.Content className="popover legend-list" aria-label="Legend" sideOffset={4} collisionPadding={8}>
            <Entries chart={chart} />
            <LaneWords />
          </Popover.Content>
        </Popover.Portal>
      </Popover.Root>
    </div>
  );
}

/** The marks of the chart and its strips. */
function LaneWords() {
  return (
    <dl className="legend-words">
      <dt>▾ above a bar</dt>
      <dd>recorded input fell</dd>
      <dt>● below a bar</dt>
      <dd>a cache miss in recorded usage</dd>
      <dt>▲ in cache</dt>
      <dd>the policy broke the cached beginning</dd>
      <dt>○ in cache</dt>
      <dd>the cache’s time was over</dd>
      <dt>time</dt>
      <dd>answers, tools, waiting for a person</dd>
      <dt>dashed agent</dt>
      <dd>started by another sub-agent</dd>
      <dt>✕ in used, trail</dt>
      <dd>the answer relied on what the request did not hold; of what is selected, the trail</dd>
      <dt>◆ in found</dt>
      <dd>a finding; a number where several are close</dd>
    </dl>
  );
}

function Entries({ chart }: { readonly chart: Chart }) {
  const { points } = chart;
  const shown = CATEGORIES.filter((_, slot) => points.some(({ byCategory }) => (byCategory[slot] ?? 0) > 0));
  const { tried } = useTried();
  const isLoaded = points.some(({ loaded }) => loaded !== undefined);
  return (
    <ul className="chart-legend" aria-label="Colours of the chart">
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
      {tried !== null && (
        <li>
          <i className="swatch-before" aria-hidden /> before the try
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
