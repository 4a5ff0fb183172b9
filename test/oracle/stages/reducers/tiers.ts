import { tierTokens } from '../../../../core/stages/reducers/tiers.ts';
import type { Tier } from '../../../../core/tokens/budget.ts';
import type { ViewReader } from '../../../../core/view/reader.ts';
import type { StageContext } from '../../../../core/view/types.ts';

/** Tokens of one tier before each position of a view; one entry more than items. */
export function runningTiers(reader: ViewReader, tier: Tier, context: StageContext): Float64Array {
  const sums = new Float64Array(reader.length + 1);
  for (let position = 0; position < reader.length; position++) {
    const own = tierTokens(reader.item(position), reader.facts(position), tier, context);
    sums[position + 1] = (sums[position] ?? 0) + own;
  }
  return sums;
}
