// A projection held against its budget, and what its stages saved, with the counts of the session.
import { availableBudget } from '../../projection/availableBudget.ts';
import type { Projection } from '../../projection/types.ts';
import type { Budget, BudgetState } from '../../tokens/budget.ts';
import { budgetWith } from '../../tokens/loaded.ts';
import { isUnrendered } from '../../view/tokens.ts';
import type { View } from '../../view/types.ts';
import type { Allowance, EditReader } from './edits.ts';
import type { Session, StageViews } from './session.ts';
import type { Tokenizing } from './tokenizing.ts';

/** What is needed to hold a projection against a budget. */
export interface BudgetSubject {
  readonly source: Session['source'];
  readonly edits: EditReader;
  readonly projection: Projection;
  readonly tokens: Tokenizing;
  readonly allowance: Allowance;
}

/** The budget's state for a projection; `byCategory` = the tokens of its view. Null = no window is known. */
export function budgetInfo(
  budget: Budget | null,
  byCategory: readonly number[],
  { source, edits, projection, tokens, allowance }: BudgetSubject,
): BudgetState | null {
  if (budget === null) return null;
  return availableBudget(
    budgetWith(budget, tokens.loads.inView(projection.view.items)),
    byCategory,
    projection,
    source,
    (item) =>
      isUnrendered(item)
        ? []
        : item.kind === 'source' && item.text === undefined
          ? tokens.range(item.index, item.index + 1)
          : tokens.edit(edits.read({ ...item, text: item.text ?? '' }), allowance).byCategory,
  );
}

/**
 * Tokens that each stage saved, by its position in the spec; negative = it added some. Null: it is off. A view is summed
 * once: what one stage gives is what the next is given, and a stage that was not run again gives the same view again.
 */
export function savedTokens(
  steps: readonly StageViews[],
  stages: number,
  tokens: Tokenizing,
  allowance: Allowance,
): readonly (number | null)[] {
  const saved: (number | null)[] = Array.from({ length: stages }, () => null);
  const sums = new Map<View, number>();
  const total = (view: View): number => {
    const known = sums.get(view);
    if (known !== undefined) return known;
    const loaded = tokens.loads.inView(view.items)?.tokens ?? 0;
    const sum = tokens.view(view, allowance).byCategory.reduce((all, each) => all + each, loaded);
    sums.set(view, sum);
    return sum;
  };
  for (const { stage, before, after } of steps) saved[stage] = before === after ? 0 : total(before) - total(after);
  return saved;
}
