import type { Row } from '../../core/protocol/types.ts';
import { ThinkingChip } from '../parts/ThinkingChip.tsx';
import { fateColor } from '../ui/fate.ts';
import { formatDuration } from '../ui/format.ts';
import { TrailChip } from '../uses/TrailChip.tsx';
import { UsedBadge } from '../uses/UsedBadge.tsx';
import { isSealed, sealedPart } from './rowText.ts';

interface Props {
  readonly row: Row;
  readonly side: 'raw' | 'projected';
  readonly isOnly: boolean;
  readonly isWide: boolean;
  /** This side says what became of the message. */
  readonly isChanged: boolean;
}

/** Behind a row's text: what became of it, what was made of its thinking, who used it, how long it took. */
export function RowChips({ row, side, isOnly, isWide, isChanged }: Props) {
  const isRecorded = (side === 'raw' || isOnly) && row.kind === 'part';
  const isRequest = side === 'projected' || isWide || isOnly;
  return (
    <>
      {isChanged && row.chip && (
        <span className="chip" style={{ color: fateColor(row.fate) }}>
          {row.chip}
        </span>
      )}
      {isRequest && isSealed(row) && row.chip === null && (
        <ThinkingChip index={row.index} part={sealedPart(row)} fate={{ kind: row.fate, reason: row.reason }} />
      )}
      {isRecorded && <TrailChip index={row.index} part={row.part} />}
      {isRecorded && <UsedBadge index={row.index} part={row.part} />}
      {isRecorded && row.took !== undefined && row.took.ms >= SHORTEST && (
        <span className="cell-took num" title={TOOK[row.took.kind]} data-testid="row-took">
          {formatDuration(row.took.ms)}
        </span>
      )}
    </>
  );
}

/** Shorter times are noise in a row. Unit: ms. */
const SHORTEST = 1000;

const TOOK: Readonly<Record<NonNullable<Row['took']>['kind'], string>> = {
  answer: 'From the request to the answer, as recorded',
  tool: 'From the call to its result, as recorded',
  person: 'Until a person wrote this, as recorded',
};
