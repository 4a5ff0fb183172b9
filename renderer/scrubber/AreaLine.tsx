import { X } from 'lucide-react';
import { CopyButton } from '../parts/CopyButton.tsx';
import { useActions, useApp, useAppState } from '../state/context.tsx';
import { useAnswer } from '../state/useAnswer.ts';
import { useSentWords } from '../state/useSentWords.ts';
import { plural } from '../ui/format.ts';
import type { Range } from '../ui/look.ts';
import { type AreaFigure, areaFigures, areaText } from './areaFigures.ts';
import { showRowsOfArea } from './rowsOfArea.ts';

/** A drag asks for many areas that live shorter than an answer takes. */
const SETTLES = { within: 60, atMost: 250 };

/** Under the chart, while an area is selected: its totals, and what can be done with it. */
export function AreaLine({ area }: { readonly area: Range }) {
  const app = useApp();
  const { setArea, zoomToArea } = useActions();
  const { figures, why } = useAreaFigures(area);
  return (
    <section
      className="area-line"
      aria-label="Selected area"
      data-testid="area"
      data-from={area.from}
      data-to={area.to}
    >
      <div className="area-head">
        <b>Selected</b>
        <span className="mute">{why ?? 'drag its edges'}</span>
      </div>
      <dl className="area-figures num" data-testid="area-figures">
        {figures.map(({ name, value, note, title }) => (
          <div key={name} title={[note, title ?? ''].filter((one) => one !== '').join('\n')}>
            <dt>{name}</dt>
            <dd>{value}</dd>
            <dd className="visually-hidden">{note}</dd>
          </div>
        ))}
      </dl>
      <div className="area-actions">
        <button
          type="button"
          className="button"
          title="Zoom to the area: Z"
          onClick={zoomToArea}
          data-testid="area-zoom"
        >
          Zoom
        </button>
        <button
          type="button"
          className="button"
          title="Filter the rows to those of the area; Enter in the chart"
          onClick={() => void showRowsOfArea(app)}
          data-testid="area-rows"
        >
          Rows
        </button>
        <CopyButton text={areaText(figures)} label="Copy the totals of the area" />
        <button
          type="button"
          className="icon-button"
          aria-label="Clear the selected area"
          onClick={() => setArea(null)}
          data-testid="area-clear"
        >
          <X size={14} aria-hidden />
        </button>
      </div>
    </section>
  );
}

/** The totals of the area; `why` = why there are none. */
function useAreaFigures({ from, to }: Range): { readonly figures: readonly AreaFigure[]; readonly why: string | null } {
  const series = useAppState((state) => state.series.series);
  const isSettled = useAppState(({ series: { computing } }) => !computing);
  const under = useSentWords()?.under ?? '';
  const seriesId = series?.seriesId ?? null;
  const { value, error } = useAnswer('series.area', seriesId === null ? null : { seriesId, from, to }, {
    about: seriesId,
    again: [series?.complete],
    settles: SETTLES,
  });
  if (value?.state === 'final' && series !== null)
    return { figures: areaFigures(value.totals, series.provenance, under), why: null };
  const calls = { name: 'Calls', value: plural(to - from, 'call'), note: '' };
  if (value?.state === 'sampled')
    return { figures: [calls], why: 'no totals: this policy is computed at some calls only' };
  if (error !== null && isSettled) return { figures: [calls], why: error.message };
  return { figures: [calls], why: 'totals: –' };
}
