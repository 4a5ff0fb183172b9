// browser-safe
// Definitions of tools that came into a request on the way, as part of the overhead.

import type { Budget } from './budget.ts';
import type { CountedOverhead } from './overhead.ts';

/** Tools that messages of a request load, in the order in which they came, and what their definitions cost. */
export interface LoadedNow {
  readonly names: readonly string[];
  readonly tokens: number;
}

/** The overhead of one request: with the tools that it loads. */
export function withLoaded<B extends CountedOverhead>(beside: B, loaded: LoadedNow | null): B {
  if (loaded === null || loaded.tokens === 0) return beside;
  return { ...beside, loaded, total: beside.total + loaded.tokens };
}

/** The same of a budget, which has so much less room. */
export function budgetWith(budget: Budget, loaded: LoadedNow | null): Budget {
  const beside = withLoaded(budget.beside, loaded);
  return beside === budget.beside ? budget : { ...budget, beside, room: Math.max(0, budget.total - beside.total) };
}
