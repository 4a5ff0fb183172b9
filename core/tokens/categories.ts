import { CATEGORIES, type Category } from '../model/category.ts';

export { CATEGORIES, CATEGORY_LABEL, type Category } from '../model/category.ts';

/** Tokens by category: one number per category, in the order of CATEGORIES. */
export type TokenTally = readonly number[];

const INDEX: Readonly<Record<Category, number>> = {
  system: 0,
  user: 1,
  assistant: 2,
  thinking: 3,
  tool_call: 4,
  tool_result: 5,
  image: 6,
};

/** Slot of a category in every tally. */
export function categoryIndex(category: Category): number {
  return INDEX[category];
}

/** A tally of zeros. */
export function emptyTally(): TokenTally {
  return CATEGORIES.map(() => 0);
}

/** A tally from the categories named; the rest are 0. */
export function tallyOf(parts: Readonly<Partial<Record<Category, number>>>): TokenTally {
  return CATEGORIES.map((category) => parts[category] ?? 0);
}

/** The sum, slot by slot, of any number of tallies. */
export function addTallies(...tallies: readonly TokenTally[]): TokenTally {
  return CATEGORIES.map((_, slot) => tallies.reduce((sum, tally) => sum + (tally[slot] ?? 0), 0));
}

/** `tally` with `tokens` more (or, negative, fewer) in one category. */
export function addTokens(tally: TokenTally, category: Category, tokens: number): TokenTally {
  return CATEGORIES.map((_, slot) => (tally[slot] ?? 0) + (slot === INDEX[category] ? tokens : 0));
}

/** Tokens of one category. */
export function tokensOf(tally: TokenTally, category: Category): number {
  return tally[INDEX[category]] ?? 0;
}

/** All tokens of a tally. */
export function tallyTotal(tally: TokenTally): number {
  return tally.reduce((sum, tokens) => sum + tokens, 0);
}
