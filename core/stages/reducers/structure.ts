import type { MessageFacts } from '../../model/message.ts';
import type { ViewItem } from '../../view/types.ts';

/**
 * What reducers go by in the items of a cell: where turns begin, and calls and results with their places and ids. Two
 * with the same one differ in words alone.
 */
export function structureOf(items: readonly ViewItem[], factsOf: (item: ViewItem) => MessageFacts): string {
  const told = items.flatMap((item, slot) => {
    const { beginsTurn, parts } = factsOf(item);
    const pairs = parts.flatMap(({ kind, callId, name }, at) =>
      kind === 'tool_call' || kind === 'tool_result' ? [[at, kind, callId ?? null, name ?? null]] : [],
    );
    return pairs.length === 0 && !beginsTurn ? [] : [[slot, beginsTurn, ...pairs]];
  });
  return told.length === 0 ? '' : JSON.stringify(told);
}
