// What is said of a tier that is over its cap: which stage would let some of it go, what holds the rest, or that no stage
// may. A cap is never a silent wish: it acts, or it is an error state with numbers and the next step.
import { type BudgetState, type CapNote, TIER_LABEL, type Tier } from '../tokens/budget.ts';
import { grouped } from '../view/words.ts';
import { STAGES } from './stages.ts';
import type { Projection } from './types.ts';

type TierState = BudgetState['tiers'][number];

/** The state with a note on each tier that is over its cap. `summary` = the span that a summary in the view stands for. */
export function withCapNotes(
  state: BudgetState,
  projection: Projection,
  summary: { readonly from: number; readonly to: number } | null,
): BudgetState {
  if (state.tiers.every(({ over }) => over === 0)) return state;
  const tiers = state.tiers.map((tier) =>
    tier.over > 0 ? { ...tier, note: noteOn(tier, projection, summary) } : tier,
  );
  return { ...state, tiers };
}

function noteOn(
  { tier, over, cap }: TierState,
  { reports }: Projection,
  summary: { readonly from: number; readonly to: number } | null,
): CapNote {
  if (tier === 'system') {
    const text = `A system prompt is never cut. Make it ${grouped(over)} tokens shorter where it is written, or raise the cap.`;
    return { text };
  }
  if (tier === 'summary') {
    const span = summary === null ? '' : ` of #${summary.from}–#${Math.max(summary.from, summary.to - 1)}`;
    const text = `Only another summary is shorter. Write one${span} of at most ${grouped(cap ?? 0)} tokens, or raise the cap.`;
    return { text };
  }
  const acting = STAGES.stages.find(({ traits }) => traits.caps?.[tier] !== undefined);
  const does = acting?.traits.caps?.[tier];
  if (acting === undefined || does === undefined)
    return { text: `No stage acts on ${TIER_LABEL[tier]} tokens: raise the cap.` };
  if (!reports.some(({ kind, enabled }) => enabled && kind === acting.kind)) {
    return { text: `No stage of this policy acts on it. ${does}.`, add: acting.kind };
  }
  const path = capPath(tier);
  const problem = reports.flatMap(({ problems }) => problems).find(({ where }) => where?.path === path);
  return { text: problem?.text ?? `${does}; what is left may not go. Raise the cap.` };
}

function capPath(tier: Tier): string {
  return `budget.caps.${tier}`;
}
