import { useEffect, useRef, useState } from 'react';
import type { ComparedAlong, ComparedInfo } from '../../core/protocol/compareTypes.ts';
import { useActions, useApp, useAppState } from '../state/context.tsx';
import { toProtocolError } from '../state/engine.ts';
import type { CompareOrder } from '../state/types.ts';
import { isForgotten } from './useCompared.ts';

/** The row one is at, in the comparison on screen. */
export interface Cursor {
  /** null = at none yet. */
  readonly row: number | null;
  /** Its line, of a fold the first one; null = at none yet. */
  readonly line: number | null;
  /** Rows must be scrolled to it. `seq` grows. */
  readonly reveal: number;
  set(row: number, line: number | null): void;
  /** To a line, wherever its row is. */
  goTo(line: number, row: number): void;
  go(what: CompareOrder): void;
}

/** Moves along differences and calls, by key and by command. */
export function useCursor(info: ComparedInfo | null, along: ComparedAlong | null): Cursor {
  const { engine } = useApp();
  const { setAt, toast } = useActions();
  const order = useAppState((state) => state.compare.order);
  const messages = useAppState((state) => state.session.info?.messages ?? 0);
  const [place, setPlace] = useState<{ id: string; row: number; line: number | null; reveal: number } | null>(null);
  const own = place !== null && place.id === info?.comparisonId ? place : null;
  const put = (row: number, line: number | null, reveals: boolean): void => {
    if (info === null) return;
    setPlace((old) => ({ id: info.comparisonId, row, line, reveal: (old?.reveal ?? 0) + (reveals ? 1 : 0) }));
  };
  const toDifference = async (direction: 1 | -1): Promise<void> => {
    if (info === null) return;
    const line = own?.line ?? -1;
    try {
      const { next } = await engine.call('compare.next', { comparisonId: info.comparisonId, line, direction });
      if (next !== null) put(next.row, next.line, true);
      else toast({ tone: 'info', text: `No difference ${direction === 1 ? 'below' : 'above'} this row.` });
    } catch (thrown) {
      const { code, message } = toProtocolError(thrown);
      // The comparison is made again where its rows are asked for.
      if (!isForgotten(code)) toast({ tone: 'error', text: 'The next difference was not found.', detail: message });
    }
  };
  const toCall = (direction: 1 | -1): void => {
    if (along === null || info === null) {
      toast({ tone: 'info', text: 'Not known yet: requests are still compared.' });
      return;
    }
    const to = nextDifferingCall(along, info.at, direction);
    if (to === null)
      toast({ tone: 'info', text: `No request ${direction === 1 ? 'after' : 'before'} this one differs.` });
    else setAt(to >= messages ? null : to);
  };
  const go = (what: CompareOrder): void => {
    if (what === 'next' || what === 'previous') void toDifference(what === 'next' ? 1 : -1);
    else toCall(what === 'nextCall' ? 1 : -1);
  };
  const done = useRef(order.seq);
  // biome-ignore lint/correctness/useExhaustiveDependencies: an order is carried out once
  useEffect(() => {
    if (order.seq === done.current) return;
    done.current = order.seq;
    go(order.what);
  }, [order.seq]);
  return {
    row: own?.row ?? null,
    line: own?.line ?? null,
    reveal: own?.reveal ?? 0,
    set: (row, line) => put(row, line, false),
    goTo: (line, row) => put(row, line, true),
    go,
  };
}

/** The next call point in a direction whose requests differ. */
export function nextDifferingCall(
  { runs, points }: Pick<ComparedAlong, 'runs' | 'points'>,
  at: number,
  direction: 1 | -1,
): number | null {
  const differs = (point: number) => runs.some(([first, last]) => point >= first && point <= last);
  const calls = points.map((point) => point.at).filter(differs);
  const ahead = calls.filter((point) => (direction === 1 ? point > at : point < at));
  return (direction === 1 ? ahead[0] : ahead.at(-1)) ?? null;
}
