// What one request may hold: a single hard total, and caps by tier that only make a stage act earlier.
import type { Category } from '../model/category.ts';

/** Where a tier's tokens are capped. `share` is of the total, 0..1. */
export type Cap = { readonly tokens: number } | { readonly share: number };

/** Parts of a budget that may be capped: the token categories, and the summary. */
export type Tier = Category | 'summary';

/** A budget. Unit: tokens. */
export interface Budget {
  /** Context window of the model, input and output together. */
  readonly window: number;
  readonly reserveOutput: number;
  readonly injectionReserve: number;
  /** max(0, window − reserveOutput − injectionReserve): what the projected messages must fit. */
  readonly total: number;
  readonly caps: Readonly<Partial<Record<Tier, Cap>>>;
}

/** The total of a budget from its parts. */
export function createBudget({ window, reserveOutput, injectionReserve, caps }: Omit<Budget, 'total'>): Budget {
  const total = Math.max(0, window - reserveOutput - injectionReserve);
  return { window, reserveOutput, injectionReserve, total, caps };
}
