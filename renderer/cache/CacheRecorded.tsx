import { describeEdit } from '../../core/insight/describeEdit.ts';
import { saysAnything } from '../../core/model/cacheDiagnosis.ts';
import { isReported } from '../../core/protocol/seriesTypes.ts';
import type { SeriesPoint } from '../../core/protocol/types.ts';
import { useUsage } from '../state/useUsage.ts';
import { formatCount } from '../ui/format.ts';
import { describeDiagnosis } from './words.ts';

/** What happened to the request that was really made: the provider's diagnosis, and what recorded usage says of its cause. */
export function CacheRecorded({ point }: { readonly point: SeriesPoint }) {
  const { info } = useUsage();
  const miss = info?.misses.find(({ at }) => at === point.at) ?? null;
  const diagnosis = point.recorded?.diagnosis;
  const isSaid = diagnosis !== undefined && saysAnything(diagnosis) && (diagnosis.cause !== null || miss !== null);
  const said = isSaid ? describeDiagnosis(diagnosis) : null;
  const edits = point.recorded?.edits ?? [];
  if (said === null && miss === null && edits.length === 0) return null;
  return (
    <div
      className={`cache-explained ${isReported(point) || miss !== null ? 'cache-explained-reported' : 'cache-explained-plain'}`}
      data-testid="cache-recorded"
    >
      <p>
        <b>As recorded</b>, whatever the policy
      </p>
      {said !== null && (
        <p className="num" data-testid="cache-provider">
          Provider: {said}.
        </p>
      )}
      {edits.length > 0 && (
        <p className="num" data-testid="cache-edits">
          Provider edited the context: {edits.map(describeEdit).join('; ')}.
        </p>
      )}
      {miss !== null && (
        <p className="mute num">
          {formatCount(miss.lost)} of {formatCount(miss.left)} cached tok not found: {miss.why}.
        </p>
      )}
    </div>
  );
}
