import type { MessageFacts } from '../../model/message.ts';
import { replaceAt, valueTextAt } from '../../util/json/index.ts';
import { clearInput, removeParts } from '../../view/editMessage.ts';
import { evictedImageBlock } from '../../view/evictedImage.ts';
import type { IncrementalContext } from '../../view/incremental.ts';
import { madeOnce } from '../../view/madeOnce.ts';
import { editWithout } from '../../view/origins.ts';
import { itemText } from '../../view/reader.ts';
import type { SourceItem } from '../../view/types.ts';
import { imageLabels, type Unit } from './tierParts.ts';

type Context = Pick<IncrementalContext, 'source' | 'memo'>;

/**
 * The message without these units: an image becomes a line of text, arguments `{}`, thinking goes; all other bytes stay.
 * Null = nothing of it is left. The same units of the same message give the same item.
 */
export function withoutUnits(
  item: SourceItem,
  facts: MessageFacts,
  units: readonly Unit[],
  context: Context,
): SourceItem | null {
  let key = '';
  for (const { parts } of units) for (const part of parts) key += `${part} `;
  return madeOnce('reducers.evicted', item, key, context.memo, () => evict(item, facts, units, context));
}

/** True if a message is nothing but these units' parts, and goes with them. */
export function isAllOf(facts: MessageFacts, units: readonly Unit[]): boolean {
  const gone = units.flatMap(({ tier, parts }) => (tier === 'thinking' ? parts : []));
  return gone.length === facts.parts.length;
}

// Thinking last: taking elements out moves those behind them.
function evict(item: SourceItem, facts: MessageFacts, units: readonly Unit[], context: Context): SourceItem | null {
  if (isAllOf(facts, units)) return null;
  const before = itemText(item, context.source);
  let text = before;
  const gone = new Set<number>();
  for (const { tier, parts } of units) {
    for (const at of parts) {
      const part = facts.parts[at];
      if (part === undefined) continue;
      if (tier === 'thinking') gone.add(at);
      else if (tier === 'tool_call') text = clearInput(text, part);
      else {
        const block = valueTextAt(text, part.path) ?? 'null';
        const label = imageLabels(item, facts, context)[at] ?? '';
        text = replaceAt(text, part.path, evictedImageBlock(block, JSON.parse(block), label));
      }
    }
  }
  if (gone.size > 0) text = removeParts(text, facts, gone);
  return text === before ? item : editWithout(item, text, facts, gone);
}
