import { CATEGORIES } from '../../model/category.ts';
import type { TranscriptSource } from '../../model/transcript.ts';
import type { TokenFigure } from '../../protocol/types.ts';
import { createMemo } from '../../view/memo.ts';
import { itemFacts } from '../../view/reader.ts';
import { isUnrendered, itemPartTokens } from '../../view/tokens.ts';
import type { StageTokens, View } from '../../view/types.ts';
import { tokenFigure } from '../session/projected.ts';
import type { Turn } from '../session/workQueue.ts';

/** Tokens of a view by category, where no table of counts is kept. `isCalibrated`: counts are the provider's. */
export async function viewFigure(
  source: TranscriptSource,
  view: View,
  tokens: StageTokens,
  { turn, isCalibrated }: { readonly turn: Turn; readonly isCalibrated: boolean },
): Promise<TokenFigure> {
  const context = { source, tokens, memo: createMemo() };
  const sums = CATEGORIES.map(() => 0);
  let hasImages = false;
  for (const item of view.items) {
    if (isUnrendered(item)) continue;
    const counts = itemPartTokens(item, context);
    for (const [at, part] of itemFacts(item, source, context.memo).parts.entries()) {
      const slot = CATEGORIES.indexOf(part.category);
      sums[slot] = (sums[slot] ?? 0) + (counts[at] ?? 0);
      hasImages ||= part.kind === 'image';
    }
    const pause = turn.pause();
    if (pause) await pause;
  }
  // Images are estimated by a rule; a calibrated figure has taken that in.
  const isExact = tokens.exact && !hasImages;
  return tokenFigure(sums, isCalibrated ? 'calibrated' : isExact ? 'exact' : 'estimated');
}
