// Where a window over whole turns begins: by number of turns, by tokens, and never between a call and its result.
import { findExchanges } from '../../model/exchanges.ts';
import { BEGINS_TURN, outlineOf } from '../../view/outline.ts';
import type { ViewReader } from '../../view/reader.ts';
import type { StageContext } from '../../view/types.ts';

/** The turns of a view. Before the first one stands the head: messages that belong to none. */
export interface Turns {
  /** Positions at which turns begin, ascending. */
  readonly starts: readonly number[];
  /** End of the head = the first turn's position, or the view's length if there is none. */
  readonly head: number;
  readonly length: number;
}

/** Reads the turns of a view. */
export function readTurns(reader: ViewReader, context: StageContext): Turns {
  const outline = outlineOf(reader, context);
  const starts: number[] = [];
  for (let position = 0; position < reader.length; position++) {
    if ((outline(position) & BEGINS_TURN) !== 0) starts.push(position);
  }
  // What answers a call of the head goes with the head.
  while (splitsPair(reader, starts, 0)) starts.shift();
  return { starts, head: starts[0] ?? reader.length, length: reader.length };
}

/**
 * True if a cut before this turn would part a call from its result: a user message may answer a call and begin a turn,
 * and people may speak while a tool runs. Turn 0 = the first; behind the last nothing is parted.
 */
function splitsPair(reader: ViewReader, starts: readonly number[], turn: number): boolean {
  const cut = starts[turn];
  if (cut === undefined) return false;
  let call = cut - 1;
  while (call >= 0 && reader.facts(call).role !== 'assistant') call--;
  if (call < 0) return false;
  let end = cut;
  while (end < reader.length && reader.facts(end).role !== 'assistant') end++;
  const exchanges = findExchanges(end - call, (position) => reader.facts(call + position));
  const results = exchanges.flatMap((exchange) => exchange.calls.flatMap((one) => one.results));
  return results.some(({ message }) => call + message >= cut);
}

/** The turn nearest to `turn` before which a cut parts no pair: at or before it (more is kept), or at or after. */
export function safeTurn(reader: ViewReader, turns: Turns, turn: number, direction: 'before' | 'after'): number {
  const last = turns.starts.length - 1;
  let at = turn;
  while (at > 0 && at <= last && splitsPair(reader, turns.starts, at)) at += direction === 'before' ? -1 : 1;
  return at;
}
