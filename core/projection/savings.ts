// What each stage took off the request. The one place that computes it (core/view/savedWords.ts says it): a stage counts by
// another rule (a quarter of the characters, texts without their frame), and says what it did, never how much that saved.
import type { TranscriptSource } from '../model/transcript.ts';
import { createMemo } from '../view/memo.ts';
import { itemTokens } from '../view/tokens.ts';
import type { StageTokens, View } from '../view/types.ts';
import { LoadedTools } from './loadedTools.ts';
import type { StageStep } from './project.ts';
import type { Projection } from './types.ts';

/** What one stage was given and gave, by its position in the spec. */
export interface StageViews {
  readonly stage: number;
  readonly before: View;
  readonly after: View;
}

/**
 * Tokens that each of `stages` stages saved, by its position in the spec; negative = it added some. Null: it is off. A view
 * is summed once: what one stage gives is what the next is given, and a stage that was not run again gives the same view.
 * `total` is given the stage, too.
 */
export function stageSavings(
  steps: readonly StageViews[],
  stages: number,
  total: (view: View, stage: number) => number,
): readonly (number | null)[] {
  const saved: (number | null)[] = Array.from({ length: stages }, () => null);
  const sums = new Map<View, number>();
  const sumOf = (view: View, stage: number): number => {
    const sum = sums.get(view) ?? total(view, stage);
    sums.set(view, sum);
    return sum;
  };
  for (const { stage, before, after } of steps) {
    if (stage < stages) saved[stage] = before === after ? 0 : sumOf(before, stage) - sumOf(after, stage);
  }
  return saved;
}

/**
 * The same of a projection by what was observed of it, where no table of counts is kept; null = nothing counts.
 * `toolsJson` = the definitions that are recorded.
 */
export function savingsOf(
  source: TranscriptSource,
  { reports }: Pick<Projection, 'reports'>,
  steps: readonly StageStep[],
  { tokens, toolsJson }: { readonly tokens: StageTokens | undefined; readonly toolsJson: string | undefined },
): readonly (number | null)[] | null {
  if (tokens === undefined) return null;
  const context = { source, tokens, memo: createMemo() };
  const loads = new LoadedTools(toolsJson, (text) => tokens.text(text)).read(source);
  const views = steps.map(({ stage, before, output }) => ({ stage: stage.position, before, after: output.view }));
  return stageSavings(views, reports.length, ({ items }) =>
    items.reduce((sum, item) => sum + itemTokens(item, context), loads.inView(items)?.tokens ?? 0),
  );
}
