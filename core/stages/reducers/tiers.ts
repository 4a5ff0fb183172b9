import type { Tier } from '../../tokens/budget.ts';
import type { ViewReader } from '../../view/reader.ts';
import { itemPartTokens } from '../../view/tokens.ts';
import type { StageContext } from '../../view/types.ts';

/** The tiers whose caps let whole turns go; that of tool results lets results expire, the others only tell. */
export const WINDOW_TIERS: readonly Tier[] = ['user', 'assistant', 'thinking', 'tool_call'];

/** Tokens of one tier before each position of a view; one entry more than items. */
export function runningTiers(reader: ViewReader, tier: Tier, context: StageContext): Float64Array {
  const sums = new Float64Array(reader.length + 1);
  for (let position = 0; position < reader.length; position++) {
    const tokens = itemPartTokens(reader.item(position), context);
    let own = 0;
    for (const [at, part] of reader.facts(position).parts.entries()) if (part.category === tier) own += tokens[at] ?? 0;
    sums[position + 1] = (sums[position] ?? 0) + own;
  }
  return sums;
}
