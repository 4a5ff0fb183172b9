import { type RefObject, useEffect, useRef, useState } from 'react';
import type { AreaTotals, TurnInfo } from '../../core/protocol/types.ts';
import { coverWords, partialSum } from '../../core/view/costCover.ts';
import { useApp, useAppState } from '../state/context.tsx';
import { messageFrom } from '../state/rowPages.ts';
import { useAnswer } from '../state/useAnswer.ts';
import { formatCost, formatCount, formatShort, formatSpan, plural } from '../ui/format.ts';
import { Seen } from '../ui/Seen.tsx';
import { Time } from '../ui/Time.tsx';
import { clockTime } from '../ui/time.ts';
import { TIMELINE_ID } from '../ui/useFocusReturn.ts';

/** A wheel passes many turns that nobody reads. */
const SETTLES = { within: 80, atMost: 300 };

/** Above the rows: the turn that the first of them lies in, as it was recorded. */
export function TurnLine() {
  const id = useAppState((state) => state.session.id);
  const hasTurns = useAppState((state) => (state.session.info?.turns ?? 0) > 0);
  const shown = useRef<TurnInfo | null>(null);
  const index = useTopMessage(shown);
  const asked = id === null || index === null || !hasTurns ? null : { id, index };
  const { value: turn, error, isLoading } = useAnswer('transcript.turn', asked, { about: id, settles: SETTLES });
  useEffect(() => {
    shown.current = turn;
  }, [turn]);
  if (!hasTurns || error !== null) return null;
  return (
    <div className="turn-line num" data-testid="turn-line" data-turn={turn?.turn}>
      {turn === null && !isLoading && <span>Before the first turn</span>}
      {turn !== null && <Turn turn={turn} />}
    </div>
  );
}

/** What is known of it: a turn without a request has no usage, and one recorded time gives no duration. */
function Turn({ turn }: { readonly turn: TurnInfo }) {
  const requests = turn.calls.to - turn.calls.from;
  const totals = useTotals(requests === 0 ? null : turn);
  const took = formatSpan(timeOf(turn.begins), timeOf(turn.ends));
  return (
    <>
      <span className="turn-figures">
        <b>Turn {formatCount(turn.turn)}</b>
        {turn.begins !== null && <Time iso={turn.begins} text={clockTime(turn.begins)} />}
        {took !== null && <span>{took}</span>}
        {turn.models.length > 0 && (
          <span className="turn-models ellipsis">
            <Seen text={turn.models.join(', ')} />
          </span>
        )}
        <span>{requests === 0 ? 'no requests' : plural(requests, 'request')}</span>
        {totals !== null && <Recorded recorded={totals.recorded} />}
      </span>
      {totals !== null && <Cost recorded={totals.recorded} />}
    </>
  );
}

function timeOf(iso: string | null): number | null {
  return iso === null ? null : Date.parse(iso);
}

function Recorded({ recorded }: { readonly recorded: AreaTotals['recorded'] }) {
  const { requests, input, read, output, answers } = recorded;
  if (requests === 0 && answers === 0) return <span className="faint">no usage recorded</span>;
  return (
    <>
      {requests > 0 && (
        <span title={`Input of ${plural(requests, 'request')}, as recorded: ${formatCount(input)} tokens`}>
          in {formatShort(input)}
        </span>
      )}
      {input > 0 && <span title="Of the input, read from the cache">{Math.floor((read / input) * 100)}% cached</span>}
      {answers > 0 && (
        <span title={`Output, as recorded: ${formatCount(output)} tokens`}>out {formatShort(output)}</span>
      )}
    </>
  );
}

function Cost({ recorded: { cost, priced } }: { readonly recorded: AreaTotals['recorded'] }) {
  if (cost === null) return null;
  return (
    <span title={`Cost of ${coverWords(priced)}, as recorded, by the price list`}>
      {priced.answers === 0 && 'input '}
      <b>{partialSum(formatCost(cost), priced.unpriced ?? 0)}</b>
    </span>
  );
}

/** What the turn's requests record; null = not known yet, or the figures are of some calls only. */
function useTotals(turn: TurnInfo | null): AreaTotals | null {
  const series = useAppState((state) => state.series.series);
  const seriesId = series?.seriesId ?? null;
  const asked = seriesId === null || turn === null ? null : { seriesId, ...turn.calls };
  const { value } = useAnswer('series.area', asked, {
    about: `${seriesId} ${turn?.turn}`,
    again: [series?.complete],
    settles: SETTLES,
  });
  return value?.state === 'final' ? value.totals : null;
}

/**
 * A message of the turn that the first row in sight lies in, looked for with each frame that scrolls. While that row stays
 * in the turn that is `shown` it is the same one: otherwise the line is drawn again for every row that passes.
 */
function useTopMessage(shown: RefObject<TurnInfo | null>): number | null {
  const { viewport } = useApp();
  const pages = useAppState((state) => state.projection.pages);
  const [index, setIndex] = useState<number | null>(null);
  useEffect(() => {
    let frame = 0;
    const look = () => {
      frame = 0;
      const next = messageFrom(pages, viewport.topRow);
      if (next === null) return;
      const turn = shown.current;
      setIndex((last) =>
        last !== null && turn !== null && isWithin(last, turn) && isWithin(next, turn) ? last : next,
      );
    };
    const soon = () => {
      if (frame === 0) frame = requestAnimationFrame(look);
    };
    soon();
    const list = document.getElementById(TIMELINE_ID);
    list?.addEventListener('scroll', soon, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      list?.removeEventListener('scroll', soon);
    };
  }, [viewport, pages, shown]);
  return index;
}

function isWithin(index: number, { from, to }: TurnInfo): boolean {
  return index >= from && index < to;
}
