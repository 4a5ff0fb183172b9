import { useMemo } from 'react';
import { isLost } from '../../core/protocol/seriesTypes.ts';
import { useActions, useAppState } from '../state/context.tsx';
import { formatTokens } from '../ui/format.ts';
import { sumOf } from './cells.ts';
import { describeBreak, describeLoss, describeSum } from './words.ts';

/** The status line's word on the cache: what this request keeps, and what all breaks come to. Opens the prices. */
export function CacheStatus() {
  const series = useAppState((state) => (state.session.id === null ? null : state.series.series));
  const at = useAppState((state) => state.projection.info?.at ?? null);
  const { openDialog } = useActions();
  const sum = useMemo(() => sumOf(series?.points ?? []), [series]);
  // Where the policy does not run there are no requests to compare.
  if (!series?.complete || series.problem !== undefined) return null;
  const cache = series.points.find((point) => point.at === at)?.cache;
  const words = describeSum(sum, series.provenance);
  return (
    <button
      type="button"
      className="status-button cache-status"
      title={`${words}${cache ? `. This request: ${describeBreak(cache)}` : ''}. Prices…`}
      data-testid="status-cache"
      onClick={() => openDialog({ kind: 'prices' })}
    >
      {cache ? (
        <span className="ellipsis">
          cache serves {formatTokens(cache.servedTokens, series.provenance)} tok
          {cache.brokenBy && <span className="status-broken">, {describeBreak(cache)}</span>}
          {!cache.brokenBy && isLost(cache) && <span className="status-lost">, {describeLoss(cache)}</span>}
        </span>
      ) : (
        words
      )}
    </button>
  );
}
