import type { MessageFacts } from '../../model/message.ts';
import { madeOnce } from '../../view/madeOnce.ts';
import { editItem } from '../../view/origins.ts';
import { itemText } from '../../view/reader.ts';
import { replaceResult } from '../../view/replaceResult.ts';
import type { StageContext, ViewItem } from '../../view/types.ts';

/** What is in place of a result that has expired. Source: seed of the reducer pipeline, "Constraint — pairing". */
export const EXPIRED = '[result expired]';

/**
 * The item with the bodies of these parts (positions in `facts.parts`) replaced; null if they are so already, or have no
 * body. The same parts give the same item: what it looks like depends on no parameter, so it is made once.
 */
export function expiredItem(
  item: ViewItem,
  facts: MessageFacts,
  gone: readonly { readonly part: number }[],
  { source, memo }: Pick<StageContext, 'source' | 'memo'>,
): ViewItem | null {
  const [only] = gone;
  const key = gone.length === 1 ? (only?.part ?? 0) : gone.map(({ part }) => part).join();
  return madeOnce('reducers.expired', item, key, memo, () => expire(item, itemText(item, source), facts, gone));
}

function expire(
  item: ViewItem,
  text: string,
  facts: MessageFacts,
  gone: readonly { readonly part: number }[],
): ViewItem | null {
  let edited = text;
  for (const { part: at } of gone) {
    const part = facts.parts[at];
    if (part !== undefined) edited = replaceResult(edited, part, EXPIRED) ?? edited;
  }
  return edited === text ? null : editItem(item, edited);
}
