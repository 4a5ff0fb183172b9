import type { BudgetState } from '../tokens/budget.ts';
import { grouped } from '../view/words.ts';

/** What a budget says of a request, as a finding beside those of the provider's own rules. */
export interface BudgetFinding {
  readonly code: 'request.over_budget' | 'request.near_budget';
  readonly severity: 'error' | 'warning';
  readonly text: string;
  /** Source index of the first message that does not fit; null = no one wrote it, or all fit. */
  readonly index: number | null;
}

/** The finding; null = it fits, or no window is known. `isAnswered` = the request was sent, and its usage is recorded. */
export function overBudget(state: BudgetState | null, isAnswered: boolean): BudgetFinding | null {
  if (state === null || state.fits) return null;
  const { overflow, used, total, margin } = state;
  const size = `${grouped(used)} of ${grouped(total)} tokens`;
  if (overflow === null) {
    const text = `The request may not fit: ${size}, and counts that are not the provider’s may be ${Math.round(margin * 100)}% too low.`;
    return { code: 'request.near_budget', severity: 'warning', text, index: null };
  }
  const over = `The request is over its budget by ${grouped(overflow.tokens)} tokens (${size})`;
  if (isAnswered) {
    const text = `${over}, yet it was answered: the window set here differs from the one it had.`;
    return { code: 'request.over_budget', severity: 'warning', text, index: null };
  }
  const text = `${over}: a provider would refuse it.`;
  return { code: 'request.over_budget', severity: 'error', text, index: overflow.fromIndex };
}
