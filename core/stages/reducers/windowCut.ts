// Where a window over whole turns begins: by number of turns, by tokens, and never between a call and its result.
import { findExchanges } from '../../model/exchanges.ts';
import type { ViewReader } from '../../view/reader.ts';

/** The messages around a cut. */
export type FactsReader = Pick<ViewReader, 'length' | 'facts'>;

/** The turns of a view. Before the first one stands the head: messages that belong to none. */
export interface Turns {
  readonly count: number;
  /** Position at which a turn begins; the view's length for `count` and beyond. */
  start(turn: number): number;
  readonly length: number;
}

/** End of the head = where the first turn begins. */
export function headEnd(turns: Turns): number {
  return turns.start(0);
}

/** What answers a call of the head goes with the head: so many turns are not turns. */
export function turnsOfHead(reader: FactsReader, turns: Turns): number {
  let of = 0;
  while (of < turns.count && splitsPair(reader, turns.start(of))) of++;
  return of;
}

/** The turns without the first ones, which belong to the head. */
export function withoutFirst(turns: Turns, first: number): Turns {
  if (first === 0) return turns;
  return { count: turns.count - first, start: (turn) => turns.start(turn + first), length: turns.length };
}

/**
 * Where the calls are that a cut before this position would part from a result: a user message may answer a call and
 * begin a turn, people may speak while a tool runs, and a summary may end anywhere. Null = it parts none.
 */
function partedCalls(reader: FactsReader, cut: number): number | null {
  if (cut >= reader.length) return null;
  let call = cut - 1;
  while (call >= 0 && reader.facts(call).role !== 'assistant') call--;
  if (call < 0 || !reader.facts(call).parts.some(({ kind }) => kind === 'tool_call')) return null;
  let end = cut;
  while (end < reader.length && reader.facts(end).role !== 'assistant') end++;
  const exchanges = findExchanges(end - call, (position) => reader.facts(call + position));
  const results = exchanges.flatMap((exchange) => exchange.calls.flatMap((one) => one.results));
  return results.some(({ message }) => call + message >= cut) ? call : null;
}

function splitsPair(reader: FactsReader, cut: number): boolean {
  return partedCalls(reader, cut) !== null;
}

/** The last position up to `cut` before which a cut parts no pair. */
export function safePosition(reader: FactsReader, cut: number): number {
  return partedCalls(reader, cut) ?? cut;
}

/** The turn nearest to `turn` before which a cut parts no pair: at or before it (more is kept), or at or after. */
export function safeTurn(reader: FactsReader, turns: Turns, turn: number, direction: 'before' | 'after'): number {
  let at = turn;
  while (at > 0 && at < turns.count && splitsPair(reader, turns.start(at))) at += direction === 'before' ? -1 : 1;
  return at;
}
