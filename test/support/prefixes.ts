// What a request has in common with the one before it, the slow and obvious way.
import type { TranscriptSource } from '../../core/model/transcript.ts';
import { itemText, rawView } from '../../core/view/reader.ts';
import { estimatedTokens, itemTokens } from '../../core/view/tokens.ts';
import type { StageMemo, StageTokens, View, ViewItem } from '../../core/view/types.ts';

function tokensOf(source: TranscriptSource, memo: StageMemo): StageTokens {
  return memo.get('test.tokens', () => estimatedTokens(source));
}

/** Estimated tokens of a view; null = of the raw messages before `at`. */
export function tokensOfView(source: TranscriptSource, view: View | null, at: number, memo: StageMemo): number {
  const context = { source, memo, tokens: tokensOf(source, memo) };
  return (view ?? rawView(source, at, memo)).items.reduce((sum, item) => sum + itemTokens(item, context), 0);
}

/** How much of the previous request stands unchanged at the front of the next. */
export function commonPrefix(source: TranscriptSource, previous: View, next: View, memo: StageMemo) {
  const context = { source, memo, tokens: tokensOf(source, memo) };
  let prefixTokens = 0;
  let previousTokens = 0;
  let isCommon = true;
  for (const [position, item] of previous.items.entries()) {
    const tokens = itemTokens(item, context);
    isCommon &&= isSame(item, next.items[position], source);
    if (isCommon) prefixTokens += tokens;
    previousTokens += tokens;
  }
  return { prefixTokens, previousTokens };
}

function isSame(a: ViewItem, b: ViewItem | undefined, source: TranscriptSource): boolean {
  return b !== undefined && (a === b || itemText(a, source) === itemText(b, source));
}
