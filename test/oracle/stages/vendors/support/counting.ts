// Tokens of a view, as the vendors' triggers and cuts need them.
import type { ViewReader } from '../../../../../core/view/reader.ts';
import { itemPartTokens, itemTokens } from '../../../../../core/view/tokens.ts';
import type { StageContext, ViewItem } from '../../../../../core/view/types.ts';
import { runningTokens } from '../../plainReading.ts';

/** Sums over a view: `[p]` = tokens of the messages before position p, `[length]` = of all. */
export function prefixTokens(reader: ViewReader, context: StageContext): Float64Array {
  return runningTokens(itemsOf(reader), context);
}

function itemsOf(reader: ViewReader): readonly ViewItem[] {
  return Array.from({ length: reader.length }, (_, position) => reader.item(position));
}

/** Tokens of all messages of a view. A raw prefix costs one look-up. */
export function viewTotal(reader: ViewReader, context: StageContext): number {
  let run = 0;
  while (run < reader.length && isRawAt(reader, run)) run++;
  let total = context.tokens.range(0, run);
  for (let position = run; position < reader.length; position++) total += itemTokens(reader.item(position), context);
  return total;
}

function isRawAt(reader: ViewReader, position: number): boolean {
  const item = reader.item(position);
  return item.kind === 'source' && item.text === undefined && item.index === position;
}

/** Tokens of one part of a view's message. */
export function partTokens(reader: ViewReader, position: number, part: number, context: StageContext): number {
  return itemPartTokens(reader.item(position), context)[part] ?? 0;
}

/** The largest position ≤ `end` from which on at least `wanted` tokens stand before `end`; null = there are fewer. */
export function reachBack(sums: ArrayLike<number>, start: number, end: number, wanted: number): number | null {
  const last = sums[end] ?? 0;
  if (last - (sums[start] ?? 0) < wanted) return null;
  let low = start;
  let high = end;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (last - (sums[middle] ?? 0) >= wanted) low = middle;
    else high = middle - 1;
  }
  return low;
}
