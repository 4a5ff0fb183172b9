import type { Series } from '../../core/protocol/types.ts';
import { useAppState } from '../state/context.tsx';
import type { CacheCell } from './cells.ts';
import {
  describeCost,
  describeKept,
  describeLoss,
  describeLossCost,
  describeProvider,
  describeRecorded,
  describeUnknown,
  saidOf,
} from './words.ts';

const WIDTH = 300;

interface Props {
  readonly cell: CacheCell;
  readonly x: number;
  readonly width: number;
  readonly series: Series;
}

/** What the request under the pointer keeps, in a few words. */
export function CacheTip({ cell, x, width, series }: Props) {
  const messages = useAppState((state) => state.session.info?.messages ?? 0);
  const { point, total } = cell;
  const { cache } = point;
  const { provenance } = series;
  const left = x + 14 + WIDTH > width ? Math.max(4, x - 14 - WIDTH) : x + 14;
  const cost = cache ? describeCost(cache, provenance) : null;
  const said = cache ? saidOf(cache) : null;
  const recorded = point.recorded ? describeRecorded(point.recorded) : null;
  const provider = point.recorded ? describeProvider(point.recorded) : null;
  const loss = cache ? describeLoss(cache) : null;
  const lossCost = cache ? describeLossCost(cache, provenance) : null;
  return (
    <div className="scrubber-tip cache-tip" style={{ left, width: WIDTH }} role="presentation">
      <div className="scrubber-tip-head">
        <b>{point.at >= messages ? 'next request' : `call #${point.at}`}</b>
        <span>turn {point.turn}</span>
      </div>
      {cache === undefined && <p className="mute">{describeUnknown(series)}</p>}
      {cache === null && <p className="mute">the first request: nothing is cached</p>}
      {cache && <p className="num">{describeKept(cache, total, provenance)}</p>}
      {said !== null && <p className={cache?.brokenBy ? 'cache-said' : 'mute'}>{said}</p>}
      {cost !== null && <p className="mute num">{cost}</p>}
      {loss !== null && <p className="cache-lost-said">{loss}</p>}
      {lossCost !== null && <p className="mute num">{lossCost}</p>}
      {recorded !== null && <p className="mute num">{recorded}</p>}
      {provider !== null && <p className={cell.reported ? 'cache-reported-text num' : 'mute num'}>{provider}</p>}
    </div>
  );
}
