import type { StatsInfo } from '../../core/protocol/types.ts';
import { partialSum } from '../../core/view/costCover.ts';
import { formatCost, formatCount, formatShort, plural } from '../ui/format.ts';
import { cacheShare } from './words.ts';

/** The sums over all transcripts that fit. */
export function StatTiles({ stats }: { readonly stats: StatsInfo }) {
  const { total, of } = stats;
  const recorded = `${formatCount(total.recordedTranscripts)} of ${plural(total.transcripts, 'transcript')}`;
  const count = (value: number | null) => (value === null ? '–' : formatShort(value));
  const kinds = stats.findings.length;
  return (
    <dl className="analytics-tiles" data-testid="analytics-tiles">
      <Tile name="Transcripts" value={formatCount(total.transcripts)} note={`of ${formatCount(of)}`} />
      <Tile name="Messages" value={formatCount(total.messages)} note={plural(total.requests, 'request')} />
      <Tile name="Input recorded" value={count(total.input)} note={recorded} />
      <Tile name="Output recorded" value={count(total.output)} note={recorded} />
      <Tile
        name="Cost"
        value={total.cost === null ? '–' : partialSum(formatCost(total.cost), total.unpriced)}
        note={`recorded, ${plural(total.pricedTranscripts, 'transcript')} with a price`}
      />
      <Tile name="Read from cache" value={cacheShare(total)} note="of recorded input" />
      <Tile
        name="Findings"
        value={formatCount(total.findings)}
        note={`${plural(kinds, 'kind')}, ${plural(total.compactions, 'compaction')}`}
      />
    </dl>
  );
}

interface TileProps {
  readonly name: string;
  readonly value: string;
  readonly note: string;
}

function Tile({ name, value, note }: TileProps) {
  return (
    <div className="analytics-tile num">
      <dt className="mute">{name}</dt>
      <dd>
        <b>{value}</b>
        <span className="mute">{note}</span>
      </dd>
    </div>
  );
}
