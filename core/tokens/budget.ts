// What one request may hold: a single hard total, and caps by tier that only make a stage act earlier.
import { CATEGORIES, CATEGORY_LABEL, type Category } from '../model/category.ts';
import { type CountedOverhead, NO_OVERHEAD } from './overhead.ts';

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
  /** max(0, window − reserveOutput − injectionReserve): what system prompt, tools and messages must fit. */
  readonly total: number;
  /** The overhead, and takes of the total. */
  readonly beside: CountedOverhead;
  /** max(0, total − beside.total): what the projected messages must fit. */
  readonly room: number;
  readonly caps: Readonly<Partial<Record<Tier, Cap>>>;
  /** Share by which counts may be too low; 0 where they are the provider's, or calibrated to be. */
  readonly margin: number;
  /** The model that the requests go to; absent = not known. */
  readonly model?: string;
}

/** The margin of a tokenizer that is not the provider's, unless a spec says another. */
export const DEFAULT_MARGIN = 0.1;

/** Whether a request that counts so much, all of it, fits a total: with the margin, because counts may be too low. */
export function fitsTotal({ total, margin }: Pick<Budget, 'total' | 'margin'>, used: number): boolean {
  return used + Math.ceil(used * margin) <= total;
}

/** Total and room of a budget from its parts. */
export function createBudget(
  parts: Omit<Budget, 'total' | 'room' | 'beside' | 'margin' | 'model'> & {
    readonly model?: string | undefined;
    readonly beside?: CountedOverhead | undefined;
    readonly margin?: number | undefined;
  },
): Budget {
  const { window, reserveOutput, injectionReserve, caps, beside = NO_OVERHEAD, margin = 0, model } = parts;
  const total = Math.max(0, window - reserveOutput - injectionReserve);
  const room = Math.max(0, total - beside.total);
  const named = model === undefined ? {} : { model };
  return { window, reserveOutput, injectionReserve, total, beside, room, caps, margin, ...named };
}

/** All tiers in their fixed order: the categories, then the summary. */
export const TIERS: readonly Tier[] = [...CATEGORIES, 'summary'];

/** The word for a tier on screen and in reasons. */
export const TIER_LABEL: Readonly<Record<Tier, string>> = { ...CATEGORY_LABEL, summary: 'summary' };

/** Tokens that a tier may take; null = it has no cap, or there is no budget. */
export function capTokens(budget: Budget | null, tier: Tier): number | null {
  const cap = budget?.caps[tier];
  if (budget === null || cap === undefined) return null;
  return 'tokens' in cap ? cap.tokens : Math.floor(budget.total * cap.share);
}

/** A message of a view as a budget sees it. */
export interface BudgetItem {
  readonly tokens: number;
  /** Source index; null for a message that no one wrote. */
  readonly index: number | null;
  /** `injected` counts against the injection reserve, `summary` is a separate tier. */
  readonly role: 'history' | 'summary' | 'injected';
}

/** Why a tier stays over its cap, and what would help. `add` = kind of a stage that would act and that a policy lacks. */
export interface CapNote {
  readonly text: string;
  readonly add?: string;
}

/** What a view takes of its budget. Unit: tokens. */
export interface BudgetState extends Omit<Budget, 'caps'> {
  /** What must fit the total: all the overhead, and all messages but injected ones. */
  readonly used: number;
  readonly injected: number;
  /**
   * Those that hold something or are capped, in the order of TIERS; `system` with the system prompt apart from the messages.
   * `over` = tokens beyond the cap.
   */
  readonly tiers: readonly {
    readonly tier: Tier;
    readonly tokens: number;
    readonly cap: number | null;
    readonly over: number;
    /** Of one that is over its cap. */
    readonly note?: CapNote;
  }[];
  /** Whether it fits with the margin. */
  readonly fits: boolean;
  /** Null = it fits, the margin left aside. `from` = the first message that does not: its position in the view, and its source index. */
  readonly overflow: {
    readonly tokens: number;
    readonly fromPosition: number;
    readonly fromIndex: number | null;
  } | null;
}

/**
 * Holds a view against its budget. `byCategory` = its tokens in the order of CATEGORIES; `items` are asked for only if
 * something is synthetic or the total is exceeded, so a view that fits costs nothing per message.
 */
export function budgetState(
  budget: Budget,
  byCategory: readonly number[],
  special: readonly (BudgetItem & { readonly category: Category })[],
  items: () => Iterable<BudgetItem>,
): BudgetState {
  const tokens = new Map<Tier, number>(CATEGORIES.map((category, slot) => [category, byCategory[slot] ?? 0]));
  let injected = 0;
  for (const item of special) {
    if (item.role === 'history') continue;
    tokens.set(item.category, (tokens.get(item.category) ?? 0) - item.tokens);
    if (item.role === 'injected') injected += item.tokens;
    else tokens.set('summary', (tokens.get('summary') ?? 0) + item.tokens);
  }
  const { caps: _caps, ...figures } = budget;
  const { total, beside } = budget;
  const used = [...tokens.values()].reduce((sum, each) => sum + each, beside.total);
  tokens.set('system', (tokens.get('system') ?? 0) + beside.system);
  const overflow = used > total ? overflowOf(used - total, budget, items()) : null;
  const fits = fitsTotal(budget, used);
  return { ...figures, used, injected, tiers: tiersOf(budget, tokens), fits, overflow };
}

function tiersOf(budget: Budget, tokens: ReadonlyMap<Tier, number>): BudgetState['tiers'] {
  return TIERS.flatMap((tier) => {
    const held = tokens.get(tier) ?? 0;
    const cap = capTokens(budget, tier);
    if (held === 0 && cap === null) return [];
    return [{ tier, tokens: held, cap, over: cap === null ? 0 : Math.max(0, held - cap) }];
  });
}

// A request is read from its beginning: the first message that ends beyond the total is where it stops to fit.
function overflowOf(
  tokens: number,
  { total, beside }: Budget,
  items: Iterable<BudgetItem>,
): NonNullable<BudgetState['overflow']> {
  let sum = beside.total;
  let position = 0;
  for (const item of items) {
    if (item.role !== 'injected') sum += item.tokens;
    if (sum > total) return { tokens, fromPosition: position, fromIndex: item.index };
    position++;
  }
  return { tokens, fromPosition: position, fromIndex: null };
}
