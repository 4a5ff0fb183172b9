import { CATEGORIES, type Category } from '../model/category.ts';
import type { TranscriptSource } from '../model/transcript.ts';
import { type Budget, type BudgetItem, type BudgetState, budgetState } from '../tokens/budget.ts';
import type { ViewItem } from '../view/types.ts';
import { withCapNotes } from './capNotes.ts';
import { STAGES } from './stages.ts';
import type { Projection } from './types.ts';

/** Tokens of a message of a view, by category (slots of CATEGORIES). */
export type ItemCounts = (item: ViewItem) => readonly number[];

/**
 * Holds a projection against its budget. `byCategory` = the tokens of its view. A recorded summary, and a message that a
 * stage put in place of a span, are of the tier `summary`; what injection put in counts against its own reserve.
 */
export function availableBudget(
  budget: Budget,
  byCategory: readonly number[],
  projection: Projection,
  source: TranscriptSource,
  countsOf: ItemCounts,
): BudgetState {
  const summaries = new Set(source.compactions().map(({ summaryIndex }) => summaryIndex));
  const roleOf = (item: ViewItem): BudgetItem['role'] => {
    if (item.kind === 'source') return summaries.has(item.index) ? 'summary' : 'history';
    if (item.made?.rule === 'injected') return 'injected';
    // What hygiene moved stands for the message it was.
    const isSummary =
      item.covers.to > item.covers.from && STAGES.traitsOf(projection.reports[item.stage]?.kind ?? '').repairs !== true;
    return isSummary ? 'summary' : 'history';
  };
  const special: (BudgetItem & { readonly category: Category })[] = [];
  for (const item of projection.view.items) {
    const role = roleOf(item);
    if (role === 'history') continue;
    const counts = countsOf(item);
    const slot = counts.indexOf(Math.max(...counts));
    special.push({ tokens: sum(counts), index: indexOf(item), role, category: CATEGORIES[slot] ?? 'user' });
  }
  const state = budgetState(budget, byCategory, special, function* items() {
    for (const item of projection.view.items) {
      yield { tokens: sum(countsOf(item)), index: indexOf(item), role: roleOf(item) };
    }
  });
  const summary = projection.view.items.find((item) => roleOf(item) === 'summary');
  return withCapNotes(state, projection, summary === undefined ? null : spanOf(summary));
}

// Of a recorded summary: from the start to where it stands.
function spanOf(item: ViewItem): { readonly from: number; readonly to: number } {
  return item.kind === 'synthetic' ? item.covers : { from: 0, to: item.index };
}

function indexOf(item: ViewItem): number | null {
  return item.kind === 'source' ? item.index : null;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
