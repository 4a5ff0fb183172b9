import { ArrowUpRight } from 'lucide-react';
import type { Series } from '../../core/protocol/types.ts';
import { useActions } from '../state/context.tsx';
import type { CacheCell } from './cells.ts';
import { describeBreak, describeCost, describeLoss, describeLossCost, UNRENDERED } from './words.ts';

interface Props {
  readonly cell: CacheCell;
  readonly series: Series;
}

/** Which stage broke what the cache held, at which message, by which rule, and what that costs. */
export function CacheBreak({ cell, series }: Props) {
  const { goToMessage } = useActions();
  const { cache } = cell.point;
  if (!cache) return null;
  const { brokenBy } = cache;
  const cost = describeCost(cache, series.provenance);
  const words = describeBreak(cache);
  const said = words.charAt(0).toUpperCase() + words.slice(1);
  if (brokenBy === null) return <p>{said}.</p>;
  const { index, stage, rule, reason } = brokenBy;
  return (
    <div className="cache-explained" data-testid="cache-explained">
      <p>
        <b>{said}</b>
        {brokenBy.kind !== UNRENDERED && `, stage ${stage + 1}`}
        {rule !== null && <span className="mono faint"> {rule}</span>}
      </p>
      <p className="mute">{reason}.</p>
      {cost !== null && <p className="num cache-cost">{cost}.</p>}
      {index !== null && (
        <button type="button" className="link cache-link" onClick={() => void goToMessage(index)}>
          Message #{index} <ArrowUpRight size={12} aria-hidden />
        </button>
      )}
    </div>
  );
}

const LOSS_TITLE = {
  time: 'Cache expired',
  reach: 'Out of the cache’s reach',
  model: 'Model changed',
} as const;

/** What was lost though no stage broke it. */
export function CacheLoss({ cell, series }: Props) {
  const { cache } = cell.point;
  const words = cache ? describeLoss(cache) : null;
  if (!cache || words === null) return null;
  const cost = describeLossCost(cache, series.provenance);
  return (
    <div className="cache-explained cache-explained-lost" data-testid="cache-loss">
      <p>
        <b>{cache.loss && LOSS_TITLE[cache.loss.why]}</b>
      </p>
      <p className="mute">{words.charAt(0).toUpperCase() + words.slice(1)}.</p>
      {cost !== null && <p className="num cache-cost">{cost}.</p>}
    </div>
  );
}
