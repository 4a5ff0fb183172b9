import type { MessageFacts } from '../../model/message.ts';
import type { Tier } from '../../tokens/budget.ts';
import { itemPartTokens } from '../../view/tokens.ts';
import type { StageContext, ViewItem } from '../../view/types.ts';

/** Tokens of one tier in a message. */
export function tierTokens(
  item: ViewItem,
  { parts }: MessageFacts,
  tier: Tier,
  context: Pick<StageContext, 'source' | 'tokens' | 'memo'>,
): number {
  const tokens = itemPartTokens(item, context);
  let own = 0;
  for (const [at, part] of parts.entries()) if (part.category === tier) own += tokens[at] ?? 0;
  return own;
}
