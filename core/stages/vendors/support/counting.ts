// Tokens of a view, as the vendors' triggers and cuts need them.
import { partText } from '../../../model/partText.ts';
import type { ViewReader } from '../../../view/reader.ts';
import { itemTokens } from '../../../view/tokens.ts';
import type { StageContext } from '../../../view/types.ts';

/** Sums over a view: `[p]` = tokens of the messages before position p, `[length]` = of all. */
export function prefixTokens(reader: ViewReader, context: StageContext): Float64Array {
  const sums = new Float64Array(reader.length + 1);
  for (let position = 0; position < reader.length; position++) {
    sums[position + 1] = sums[position]! + itemTokens(reader.item(position), context);
  }
  return sums;
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
  const item = reader.item(position);
  if (item.kind === 'source' && item.text === undefined) return context.tokens.parts(item.index)[part] ?? 0;
  const value = reader.facts(position).parts[part];
  if (value === undefined) return 0;
  if (value.kind === 'image') return context.tokens.image;
  return context.tokens.text(partText(JSON.parse(reader.text(position)), value));
}

/** The largest position ≤ `end` from which on at least `wanted` tokens stand before `end`; null = there are fewer. */
export function reachBack(sums: Float64Array, start: number, end: number, wanted: number): number | null {
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
