// The gauge as numbers: what fills the bar, what is set aside, and how the request stands to its budget, in words.
import { CATEGORY_LABEL } from '../../core/model/category.ts';
import type { OverheadFigure, Provenance, TokenFigure } from '../../core/protocol/types.ts';
import type { BudgetState } from '../../core/tokens/budget.ts';
import type { CountedOverhead } from '../../core/tokens/overhead.ts';
import type { Tier } from '../state/editBudget.ts';
import { aboutWord, formatCount, formatShare } from '../ui/format.ts';
import { overText } from './figures.ts';

/** A piece of the bar; `share` of its whole width, 0..1. */
export interface GaugePiece {
  readonly key: string;
  readonly label: string;
  readonly tokens: number;
  readonly share: number;
  /** What it is: the overhead, tokens of a tier, or a reserve that stays free of history. */
  readonly kind: 'beside' | 'tier' | 'reserve';
  /** Tokens of a tier beyond its cap; absent = none. */
  readonly over?: number;
}

export interface Gauge {
  /** From the left end: tools, system prompt, what is not recorded. */
  readonly beside: readonly GaugePiece[];
  readonly tiers: readonly GaugePiece[];
  /** From the right end. */
  readonly reserves: readonly GaugePiece[];
  /** Where the total ends on a bar that is longer than the window, 0..1; null if the request fits. */
  readonly mark: number | null;
}

/** The word for a tier. */
export function tierLabel(tier: Tier): string {
  return tier === 'summary' ? 'summary' : CATEGORY_LABEL[tier];
}

/** CSS colour of a tier: a category's, or that of what is summarised. */
export function tierColor(tier: string): string {
  return tier === 'summary' ? 'var(--fate-summarised)' : `var(--cat-${tier.replace('_', '-')})`;
}

/** The overhead, in the order in which a provider reads it. */
export const OVERHEAD_PARTS = [
  { part: 'tools', label: 'tools', color: 'var(--cat-tool-call)' },
  { part: 'system', label: 'system prompt', color: 'var(--cat-system)' },
  { part: 'loaded', label: 'tools loaded later', color: 'var(--cat-tool-call)' },
  { part: 'overhead', label: 'not recorded', color: 'var(--mute)' },
] as const;

/** The pieces of the overhead, as shares of a whole. */
export function overheadPieces(beside: CountedOverhead, whole: number): readonly GaugePiece[] {
  return OVERHEAD_PARTS.flatMap(({ part, label }) => {
    const tokens = overheadTokens(beside, part);
    return tokens > 0 ? [{ key: part, label, tokens, share: tokens / whole, kind: 'beside' as const }] : [];
  });
}

/** Tokens of a part apart from the messages. */
export function overheadTokens(beside: CountedOverhead, part: (typeof OVERHEAD_PARTS)[number]['part']): number {
  return part === 'loaded' ? (beside.loaded?.tokens ?? 0) : beside[part];
}

/** The overhead of the history as it is: it may load other tools than what a policy makes of it. */
export function rawOverhead({ rawLoaded = 0, loaded, ...beside }: OverheadFigure): OverheadFigure {
  const total = beside.total - (loaded?.tokens ?? 0) + rawLoaded;
  return { ...beside, total, ...(rawLoaded > 0 && { loaded: { names: [], tokens: rawLoaded } }) };
}

/** CSS colour of a part apart from the messages. */
export function overheadColor(part: string): string {
  return OVERHEAD_PARTS.find((one) => one.part === part)?.color ?? 'var(--mute)';
}

/** The whole request: messages and what is beside them. What was typed in makes it an estimate, unless it is calibrated. */
export function wholeRequest(messages: Pick<TokenFigure, 'total' | 'provenance'>, beside: OverheadFigure) {
  const isExact = beside.total === 0 || (beside.provenance === 'exact' && beside.overhead === 0);
  const isKept = isExact || (messages.provenance === 'calibrated' && beside.provenance === 'calibrated');
  const provenance: Provenance = isKept ? messages.provenance : 'estimated';
  return { total: messages.total + beside.total, provenance };
}

/** The bar: the overhead and tiers from the left, reserves at the right; over the total it is as long as all of it together. */
export function gaugeOf(budget: BudgetState): Gauge {
  const { window, used, reserveOutput, injectionReserve, total } = budget;
  const whole = Math.max(window, used + reserveOutput + injectionReserve, 1);
  const piece = (kind: GaugePiece['kind']) => (key: string, label: string, tokens: number) =>
    tokens > 0 ? [{ key, label, tokens, share: tokens / whole, kind }] : [];
  const tier = piece('tier');
  const reserve = piece('reserve');
  return {
    beside: overheadPieces(budget.beside, whole),
    tiers: budget.tiers.flatMap(({ tier: name, tokens, over }) =>
      // A system prompt apart from the messages has its own piece.
      tier(name, tierLabel(name), tokens - (name === 'system' ? budget.beside.system : 0)).map((one) =>
        over > 0 ? { ...one, over } : one,
      ),
    ),
    reserves: [
      ...reserve('injection', 'reserved for injection', injectionReserve),
      ...reserve('output', 'reserved for output', reserveOutput),
    ],
    mark: used > total ? total / whole : null,
  };
}

/** How the request stands to its budget. */
export interface GaugeState {
  readonly tone: 'ok' | 'close' | 'over';
  readonly text: string;
  /** Source index of the first message that does not fit; null if it fits, or no one wrote that message. */
  readonly from: number | null;
}

/** `138,612 free (69%)`; `Over by 12,400`. Close = above nine tenths. `off` as for {@link overText}. */
export function gaugeState(budget: BudgetState, provenance: Provenance, off = 0): GaugeState {
  const about = aboutWord(provenance);
  const { used, total, overflow } = budget;
  if (overflow) {
    const text = overText(overflow.tokens, provenance, off);
    return { tone: 'over', text, from: overflow.fromIndex };
  }
  if (!budget.fits) {
    const text = `${about}${formatCount(total - used)} free by these counts, which are not the provider’s: with a margin of ${Math.round(budget.margin * 100)}% it may not fit.`;
    return { tone: 'close', text, from: null };
  }
  const free = total - used;
  const text = `${about}${formatCount(free)} free (${formatShare(free, total)})`;
  return { tone: used > total * 0.9 ? 'close' : 'ok', text, from: null };
}
