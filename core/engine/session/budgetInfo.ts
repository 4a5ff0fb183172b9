// A view held against its budget, with the counts of the session.
import { CATEGORIES } from '../../model/category.ts';
import type { TranscriptSource } from '../../model/transcript.ts';
import type { Projection } from '../../projection/types.ts';
import { type Budget, type BudgetItem, type BudgetState, budgetState } from '../../tokens/budget.ts';
import type { ViewItem } from '../../view/types.ts';
import type { Allowance, EditReader } from './edits.ts';
import type { StageDelta } from './session.ts';
import type { Tokenizing } from './tokenizing.ts';

/** What is needed to hold a projection against a budget. */
export interface BudgetSubject {
  readonly source: TranscriptSource;
  readonly edits: EditReader;
  readonly projection: Projection;
  readonly tokens: Tokenizing;
  readonly allowance: Allowance;
}

/** The budget's state for a projection; `byCategory` = the tokens of its view. Null = no window is known. */
export function budgetInfo(
  budget: Budget | null,
  byCategory: readonly number[],
  subject: BudgetSubject,
): BudgetState | null {
  if (budget === null) return null;
  const { source, projection } = subject;
  const summaries = new Set(source.compactions().map(({ summaryIndex }) => summaryIndex));
  const roleOf = (item: ViewItem): BudgetItem['role'] => {
    if (item.kind === 'source') return summaries.has(item.index) ? 'summary' : 'history';
    if (item.made?.rule === 'injected') return 'injected';
    const isSummary = item.covers.to > item.covers.from && projection.reports[item.stage]?.kind !== 'hygiene';
    return isSummary ? 'summary' : 'history';
  };
  const special = projection.view.items.flatMap((item) => {
    const role = roleOf(item);
    if (role === 'history') return [];
    const counts = itemCounts(item, subject);
    const slot = counts.indexOf(Math.max(...counts));
    return [{ tokens: sum(counts), index: indexOf(item), role, category: CATEGORIES[slot] ?? 'user' } as const];
  });
  return budgetState(budget, byCategory, special, function* items() {
    for (const item of projection.view.items) {
      yield { tokens: itemTotal(item, subject), index: indexOf(item), role: roleOf(item) };
    }
  });
}

function indexOf(item: ViewItem): number | null {
  return item.kind === 'source' ? item.index : null;
}

function itemTotal(item: ViewItem, subject: BudgetSubject): number {
  const isRaw = item.kind === 'source' && item.text === undefined;
  return isRaw ? subject.tokens.rangeTotal(item.index, item.index + 1) : sum(itemCounts(item, subject));
}

function itemCounts(item: ViewItem, { edits, tokens, allowance }: BudgetSubject): readonly number[] {
  if (item.kind === 'source' && item.text === undefined) return tokens.range(item.index, item.index + 1);
  return tokens.edit(item, edits.read({ ...item, text: item.text ?? '' }), allowance).byCategory;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Tokens that each stage saved, by its position in the spec; negative = it added some. Null: it is off. */
export function savedTokens(
  deltas: readonly StageDelta[],
  stages: number,
  tokens: Tokenizing,
  allowance: Allowance,
): readonly (number | null)[] {
  const saved: (number | null)[] = Array.from({ length: stages }, () => null);
  const total = (items: readonly ViewItem[]): number => sum(tokens.view({ items }, allowance).byCategory);
  for (const { stage, removed, added } of deltas) saved[stage] = total(removed) - total(added);
  return saved;
}
