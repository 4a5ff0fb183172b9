// A projection held against its budget, and what its stages saved, with the counts of the session.
import { availableBudget } from '../../projection/availableBudget.ts';
import { type StageViews, stageSavings } from '../../projection/savings.ts';
import type { Projection } from '../../projection/types.ts';
import type { Budget, BudgetState } from '../../tokens/budget.ts';
import { budgetWith } from '../../tokens/loaded.ts';
import { isUnrendered } from '../../view/tokens.ts';
import type { Allowance, EditReader } from './edits.ts';
import type { Session } from './session.ts';
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
          : tokens.edit(edits.ofItem(item), allowance).byCategory,
  );
}

/**
 * Tokens that each stage saved, by its position in the spec, with the counts of the session. `counted` false = an edit is
 * estimated that could be counted, perhaps one that a later stage took out. `before` = the steps of a projection made
 * before, whose views may hold mostly the same.
 */
export function savedTokens(
  steps: readonly StageViews[],
  stages: number,
  tokens: Tokenizing,
  allowance: Allowance,
  before: readonly StageViews[] = [],
): { readonly saved: readonly (number | null)[]; readonly counted: boolean } {
  let counted = true;
  const like = new Map(before.map(({ stage, after }) => [stage, after]));
  const saved = stageSavings(steps, stages, (view, stage) => {
    const sum = tokens.view(view, allowance, like.get(stage));
    if (!sum.counted) counted = false;
    return sum.byCategory.reduce((all, each) => all + each, tokens.loads.inView(view.items)?.tokens ?? 0);
  });
  return { saved, counted };
}
