// The sentences of caps on tiers: what went and why, and of what stays which number or rule decided.
import type { Problem } from '../../model/problem.ts';
import { keptBecause } from '../../view/fates.ts';
import type { Fate, PartFate } from '../../view/types.ts';
import { countOf, grouped } from '../../view/words.ts';
import type { EvictedTier, Lock, TierCapsParams, Unit } from './tierParts.ts';

/** How a capped tier stands. Tokens; `evicted` of `candidates` units go, the oldest. */
export interface TierCut {
  readonly tier: EvictedTier;
  readonly cap: number;
  /** Of the tier before anything went, and what leaves it with those that go. */
  readonly held: number;
  readonly freed: number;
  readonly candidates: number;
  readonly evicted: number;
  /** By tokens what is said of a unit that goes: many lose as much. Filled as it is asked for. */
  readonly sentences: Map<number, string>;
}

const WORDS: Readonly<Record<EvictedTier, { readonly all: string; readonly done: string; readonly one: string }>> = {
  image: { all: 'images take', done: 'image evicted', one: 'image' },
  thinking: { all: 'thinking takes', done: 'thinking removed', one: 'thought' },
  tool_call: { all: 'calls take', done: 'arguments emptied', one: 'call' },
};

/** What a part fate is, by tier. */
export const PART_KIND = { image: 'redacted', thinking: 'dropped', tool_call: 'rewritten' } as const;

/** `image evicted: images take 3,200 tokens, over the cap of 2,000; the oldest go first, this one of 1,049`. */
export function describeEvicted({ tier, tokens }: Unit, cut: TierCut): string {
  const { sentences } = cut;
  const known = sentences.get(tokens);
  if (known !== undefined) return known;
  const { all, done } = WORDS[tier];
  const made = `${done}: ${all} ${grouped(cut.held)} tokens, over the cap of ${grouped(cut.cap)}; the oldest go first, this one of ${grouped(tokens)}`;
  sentences.set(tokens, made);
  return made;
}

/** Why a unit stays though its tier is capped: rule and sentence. */
export function describeKept(unit: Unit, cut: TierCut, params: TierCapsParams): { rule: string; reason: string } {
  const { tier, held, freed, cap, evicted, candidates } = cut;
  const { all, one } = WORDS[tier];
  const left = held - freed;
  if (held <= cap)
    return { rule: 'under_tier_cap', reason: `${all} ${grouped(held)} tokens ≤ ${grouped(cap)}, their cap` };
  const over = `${all} ${grouped(held)} tokens, cap ${grouped(cap)}`;
  if (unit.lock !== null) return { rule: `locked_${unit.lock}`, reason: `${describeLock(unit.lock, tier)} (${over})` };
  const gone = `with ${countOf(evicted, `older ${one}`)} gone`;
  if (left <= cap)
    return { rule: 'under_tier_cap', reason: `${gone} ${all} ${grouped(left)} tokens ≤ ${grouped(cap)}, their cap` };
  const newest = Math.min(params.keep, candidates);
  return {
    rule: 'newest_of_tier',
    reason: `among the newest ${grouped(newest)} that may go (keep ${grouped(params.keep)}; ${over})`,
  };
}

const BESIDE_SIGNED = 'is next to signed reasoning, which an edit would void';

function describeLock(lock: Lock, tier: EvictedTier): string {
  switch (lock) {
    case 'signed':
      return tier === 'thinking' ? 'signed thinking' : BESIDE_SIGNED;
    case 'beside_signed':
      return BESIDE_SIGNED;
    case 'never_evict':
      return 'calls of this tool are never emptied (never_evict)';
    case 'asked_back':
      return 'the provider wants the reasoning of answers that call tools back';
    case 'small':
      return 'its replacement would take as much';
  }
}

/** The fate of a message that stays as it is; the first unit's rule, all sentences. */
export function keptFate(stage: number, said: readonly { readonly rule: string; readonly reason: string }[]): Fate {
  const reasons = [...new Set(said.map(({ reason }) => reason))];
  return keptBecause(stage, said[0]?.rule ?? 'under_tier_cap', `kept: ${reasons.join('; ')}`);
}

/** The fate of a message that lost these units. */
export function evictedFate(
  stage: number,
  gone: readonly { readonly unit: Unit; readonly cut: TierCut }[],
  whole: boolean,
  parts: readonly PartFate[],
): Fate {
  const reasons = distinct(gone.map(({ unit, cut }) => describeEvicted(unit, cut)));
  const saved = gone.reduce((sum, { unit }) => sum + unit.saves, 0);
  const isRedacted = gone.some(({ unit }) => unit.tier === 'image');
  return {
    kind: whole ? 'dropped' : isRedacted ? 'redacted' : 'rewritten',
    stage,
    rule: 'over_tier_cap',
    reason: whole ? `${reasons.join('; ')}; nothing else was in the message` : reasons.join('; '),
    ...(saved > 0 && !whole && { chip: `−${grouped(saved)} tok` }),
    ...(!whole && parts.length > 0 && { parts }),
  };
}

/** A unit, and whether it is in the last turn. */
export interface PlacedUnit {
  readonly unit: Unit;
  readonly isOpen: boolean;
}

/** Said of a tier that is over its cap still: by how much, what holds the rest, and what would help. */
export function stillOver(cut: TierCut, units: Iterable<PlacedUnit>, params: TierCapsParams): Problem | null {
  const rest = cut.held - cut.freed;
  if (rest <= cut.cap) return null;
  const locked = new Map<Lock, number>();
  let free = 0;
  let unlocked = 0;
  for (const { unit, isOpen } of units) {
    const { lock, tokens } = unit;
    if (lock === null) free += tokens;
    else locked.set(lock, (locked.get(lock) ?? 0) + tokens);
    if (lock !== null && !isOpen && unit.maySigned === true) unlocked += tokens;
  }
  const signed = (locked.get('signed') ?? 0) + (locked.get('beside_signed') ?? 0);
  const reasons = [
    ...(free > cut.freed && params.keep > 0 ? [`the newest ${grouped(params.keep)} stay (keep)`] : []),
    ...(signed > 0 ? [`${grouped(signed)} are in turns with signed reasoning`] : []),
    ...((locked.get('asked_back') ?? 0) > 0
      ? [`${grouped(locked.get('asked_back') ?? 0)} the provider wants back`]
      : []),
    ...((locked.get('never_evict') ?? 0) > 0
      ? [`${grouped(locked.get('never_evict') ?? 0)} are of never_evict tools`]
      : []),
  ];
  const why = reasons.length === 0 ? 'nothing more can go' : `nothing more can go: ${reasons.join(', ')}`;
  const steps = [
    ...(unlocked > 0 && !params.signedThinking
      ? [`turn on signed_thinking for ${countOf(unlocked, 'token')} of earlier turns`]
      : []),
    ...(free > cut.freed && params.keep > 0 ? ['lower keep'] : []),
    'raise the cap',
    'or let turns go from a window',
  ];
  const left = `${capitalised(WORDS[cut.tier].all)} ${grouped(rest)} tokens, ${grouped(rest - cut.cap)} over the cap of ${grouped(cut.cap)}`;
  const text = `${left}; ${why}. ${capitalised(steps.join(', '))}.`;
  return { code: 'caps.still_over', severity: 'warning', text, where: { path: `budget.caps.${cut.tier}` } };
}

function distinct(words: readonly string[]): readonly string[] {
  return words.length < 2 ? words : [...new Set(words)];
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `2 images, 14 calls evicted`. */
export function capsSummary(cuts: readonly TierCut[]): string {
  if (cuts.length === 0) return 'no cap on images, thinking or calls is set: caps are part of the budget';
  const acted = cuts.filter(({ evicted }) => evicted > 0);
  if (acted.length === 0)
    return cuts.some(({ held, cap }) => held > cap) ? 'over a cap, and nothing can go' : 'within the caps';
  return `${acted.map(({ tier, evicted }) => countOf(evicted, WORDS[tier].one)).join(', ')} evicted`;
}
