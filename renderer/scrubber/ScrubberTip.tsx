import { CATEGORY_LABEL } from '../../core/model/category.ts';
import type { Provenance } from '../../core/protocol/types.ts';
import { useUsage } from '../state/useUsage.ts';
import { CHART, type Chart, figuresOf, recordedOf, requestOf } from '../ui/chart.ts';
import { formatTokens } from '../ui/format.ts';

const WIDTH = 190;

interface Props {
  readonly chart: Chart;
  readonly bar: number;
  readonly provenance: Provenance;
  readonly messages: number;
}

/** Px around the pointer within which a mark is meant: bars may be narrower than its dot. */
const REACH = 5;

/** What stands out in recorded usage at the bar, or so near to it that the pointer is on its mark. */
function TipMarks({ chart, bar }: { readonly chart: Chart; readonly bar: number }) {
  const around = Math.floor(REACH / chart.step);
  const after = chart.points[bar - 1 - around]?.at ?? -1;
  const at = chart.points[Math.min(chart.points.length - 1, bar + around)]?.at ?? -1;
  const marks = (useUsage().info?.marks ?? []).filter((mark) => mark.at > after && mark.at <= at);
  return marks.slice(0, 3).map((mark) => (
    <p key={`${mark.kind} ${mark.at}`} className="scrubber-tip-mark">
      #{mark.at}: {mark.label}
    </p>
  ));
}

/** The figures of the bar under the pointer. */
export function ScrubberTip({ chart, bar, provenance, messages }: Props) {
  const point = chart.points[bar];
  if (!point) return null;
  const x = CHART.left + bar * chart.step + chart.step / 2;
  const left = x + 14 + WIDTH > chart.width ? x - 14 - WIDTH : x + 14;
  return (
    <div className="scrubber-tip" style={{ left, width: WIDTH }} role="presentation">
      <div className="scrubber-tip-head">
        <b>{point.at >= messages ? 'next request' : `call #${point.at}`}</b>
        <span>turn {point.turn}</span>
      </div>
      {figuresOf(point).map(({ category, tokens }) => (
        <div key={category} className="scrubber-tip-line num">
          <i style={{ background: `var(--cat-${category.replace('_', '-')})` }} />
          <span>{CATEGORY_LABEL[category]}</span>
          <span>{formatTokens(tokens, provenance)}</span>
        </div>
      ))}
      {chart.beside > 0 && (
        <div className="scrubber-tip-line num">
          <i className="swatch-beside" />
          <span>system prompt &amp; tools</span>
          <span>{formatTokens(chart.beside, provenance)}</span>
        </div>
      )}
      {point.loaded !== undefined && (
        <div className="scrubber-tip-line num" data-testid="tip-loaded">
          <i className="swatch-beside" />
          <span>tools loaded later</span>
          <span>{formatTokens(point.loaded, provenance)}</span>
        </div>
      )}
      <div className="scrubber-tip-line scrubber-tip-total num">
        <i />
        <span>total, {provenance}</span>
        <span>{formatTokens(requestOf(chart, point), provenance)}</span>
      </div>
      {recordedOf(point) !== null && (
        <div className="scrubber-tip-line num" data-testid="tip-recorded">
          <i className="swatch-recorded" />
          <span>recorded input</span>
          <span>{formatTokens(recordedOf(point), 'recorded')}</span>
        </div>
      )}
      <TipMarks chart={chart} bar={bar} />
    </div>
  );
}
