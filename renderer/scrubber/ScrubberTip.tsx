import { CATEGORY_LABEL } from '../../core/model/category.ts';
import { recordedInputOf, refusedOf } from '../../core/protocol/seriesTypes.ts';
import type { Provenance, SeriesPoint } from '../../core/protocol/types.ts';
import { useUsage } from '../state/useUsage.ts';
import { type Chart, figuresOf, requestOf } from '../ui/chart.ts';
import { formatTokens, plural } from '../ui/format.ts';

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
  const around = Math.floor(REACH / Math.max(1, chart.step));
  const first = chart.points[Math.max(0, bar - around)];
  const last = chart.points[Math.min(chart.points.length - 1, bar + around)];
  const [from, to] = [first?.shares?.first ?? first?.at ?? 0, last?.shares?.last ?? last?.at ?? -1];
  const marks = (useUsage().info?.marks ?? []).filter(({ at }) => at >= from && at <= to);
  return marks.slice(0, 3).map((mark) => (
    <p key={`${mark.kind} ${mark.at}`} className="scrubber-tip-mark">
      #{mark.at}: {mark.label}
    </p>
  ));
}

/** Where several calls share the bar: how many, and that the figures are of the largest. And what would be refused. */
function TipShares({ point }: { readonly point: SeriesPoint }) {
  const { refused } = refusedOf(point);
  const { shares } = point;
  return (
    <>
      {shares && (
        <p className="scrubber-tip-shares" data-testid="tip-shares">
          the largest of {plural(shares.count, 'call')}, #{shares.first}–#{shares.last}
        </p>
      )}
      {refused > 0 && (
        <p className="scrubber-tip-refused">
          {shares ? `${plural(refused, 'request')} of these` : 'This request'} would be refused for its thinking
        </p>
      )}
    </>
  );
}

/** The figures of the bar under the pointer. */
export function ScrubberTip({ chart, bar, provenance, messages }: Props) {
  const drawn = chart.bars[bar];
  if (!drawn) return null;
  const { point } = drawn;
  const x = drawn.x + drawn.width / 2;
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
      {recordedInputOf(point) !== null && (
        <div className="scrubber-tip-line num" data-testid="tip-recorded">
          <i className="swatch-recorded" />
          <span>recorded input</span>
          <span>{formatTokens(recordedInputOf(point), 'recorded')}</span>
        </div>
      )}
      <TipShares point={point} />
      <TipMarks chart={chart} bar={bar} />
    </div>
  );
}
