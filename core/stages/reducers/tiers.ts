import type { MessageFacts } from '../../model/message.ts';
import type { Tier } from '../../tokens/budget.ts';
import type { ViewReader } from '../../view/reader.ts';
import { itemPartTokens } from '../../view/tokens.ts';
import type { StageContext, ViewItem } from '../../view/types.ts';

/** Tokens of one tier before each position of a view; one entry more than items. */
export function runningTiers(reader: ViewReader, tier: Tier, context: StageContext): Float64Array {
  const sums = new Float64Array(reader.length + 1);
  for (let position = 0; position < reader.length; position++) {
    const own = tierTokens(reader.item(position), reader.facts(position), tier, context);
    sums[position + 1] = (sums[position] ?? 0) + own;
  }
  return sums;
}

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
