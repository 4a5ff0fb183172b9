import { type Exchange, findExchanges } from '../model/exchanges.ts';
import type { ViewReader } from './reader.ts';
import type { StageContext } from './types.ts';

interface Kept {
  length: number;
  exchanges: readonly Exchange[];
}

/** What reading exchanges needs of a stage's context. */
type ExchangesContext = Pick<StageContext, 'source' | 'memo'>;

/**
 * The exchanges of a view, by position in it. For a raw prefix those of the whole transcript are read once and kept;
 * only the last turn before the call point is read again, because its results may lie beyond.
 */
export function exchangesOf(reader: ViewReader, context: ExchangesContext): readonly Exchange[] {
  if (!isRawPrefix(reader)) return findExchanges(reader.length, reader.facts);
  const all = allExchanges(context);
  if (reader.length === context.source.length) return all;
  const before = all.slice(0, countBefore(all, reader.length));
  const last = before.pop();
  if (last === undefined) return before;
  const again = findExchanges(reader.length - last.message, (position) => reader.facts(last.message + position));
  return [...before, ...again.map((exchange) => shifted(exchange, last.message))];
}

// Read again when the transcript has grown.
function allExchanges({ source, memo }: ExchangesContext): readonly Exchange[] {
  const kept = memo.get('view.exchanges', (): Kept => ({ length: -1, exchanges: [] }));
  if (kept.length !== source.length) {
    kept.exchanges = findExchanges(source.length, (index) => source.facts(index));
    kept.length = source.length;
  }
  return kept.exchanges;
}

/** Whether a view is the first messages of the transcript as they are. */
export function isRawPrefix(reader: ViewReader): boolean {
  for (let position = 0; position < reader.length; position++) {
    const item = reader.item(position);
    if (item.kind !== 'source' || item.text !== undefined || item.index !== position) return false;
  }
  return true;
}

function countBefore(exchanges: readonly Exchange[], position: number): number {
  let low = 0;
  let high = exchanges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((exchanges[middle]?.message ?? position) < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

function shifted(exchange: Exchange, by: number): Exchange {
  const calls = exchange.calls.map((call) => ({
    ...call,
    message: call.message + by,
    results: call.results.map((result) => ({ ...result, message: result.message + by })),
  }));
  return { message: exchange.message + by, calls };
}
