// browser-safe
import { hasLazyPointers, withLazyPointers } from './lazyPointers.ts';
import type { Fate, FateKind, PartFate, RedactionPointer } from './types.ts';

/** The fate of a message that no stage touched or explained. Shared: compare by reference to recognise it. */
export const UNTOUCHED: Fate = Object.freeze({ kind: 'kept', stage: null, rule: null, reason: 'no stage touched it' });

/** The rule of an explanation by a stage that has nothing to do with messages like this one. */
export const NOT_CONCERNED = 'not_concerned';

/** An explanation: a message stays, by which rule, and why. */
export function keptBecause(stage: number, rule: string, reason: string): Fate {
  return { kind: 'kept', stage, rule, reason };
}

/** True if a stage weighed the message, and did not only pass it by: of two explanations the one that says more. */
export function weighs({ rule }: Fate): boolean {
  return rule !== null && rule !== NOT_CONCERNED;
}

/** All kinds of fates. */
export const FATE_KINDS = ['kept', 'redacted', 'rewritten', 'dropped', 'summarised', 'merged'] as const;

/**
 * What a stage may do to a message, by the number under which it is kept: null = it leaves it alone; then the kinds of
 * FATE_KINDS, each under its number there; last `kept` = it puts it back.
 */
export const TOUCHED_KINDS: readonly (FateKind | null)[] = [null, ...FATE_KINDS.slice(1), 'kept'];

/** True if a message with this fate is in the view. */
export function standsInView(kind: FateKind): boolean {
  return kind === 'kept' || kind === 'redacted' || kind === 'rewritten';
}

/**
 * The fate after a later stage: what left the view keeps the fate that took it out; an explanation (`kept`) never
 * hides an edit, nor one that says more; two edits are reported together, with the parts and pointers of both. What is put
 * back has the fate of the stage that did it, with the reason it was gone for.
 */
export function mergeFates(earlier: Fate, later: Fate): Fate {
  if (later.back === true && (later.kind === 'kept' || !standsInView(earlier.kind))) return putBackFate(earlier, later);
  if (!standsInView(earlier.kind)) return earlier;
  if (!standsInView(later.kind)) return later;
  if (later.kind === 'kept') return earlier.kind === 'kept' && (weighs(later) || !weighs(earlier)) ? later : earlier;
  if (earlier.kind === 'kept') return later;
  const { stage, rule, chip, because, evidence } = later;
  const parts = mergeBy(earlier.parts ?? [], later.parts ?? [], (fate: PartFate) => fate.part);
  const merged: Fate = {
    kind: earlier.kind === 'redacted' || later.kind === 'redacted' ? 'redacted' : 'rewritten',
    stage,
    rule,
    reason: `${earlier.reason}; then: ${later.reason}`,
    ...(chip !== undefined && { chip }),
    ...(because !== undefined && { because }),
    ...(evidence !== undefined && { evidence }),
    ...(parts.length > 0 && { parts }),
  };
  if (hasLazyPointers(earlier) || hasLazyPointers(later)) {
    return withLazyPointers(merged, pointersOfBoth, [earlier, later] as const);
  }
  const pointers = pointersOfBoth([earlier, later]);
  return pointers.length === 0 ? merged : { ...merged, pointers };
}

function putBackFate(earlier: Fate, later: Fate): Fate {
  return earlier.kind === 'kept' ? later : { ...later, reason: `${later.reason}; without that: ${earlier.reason}` };
}

function pointersOfBoth([earlier, later]: readonly [Fate, Fate]): readonly RedactionPointer[] {
  return mergeBy(earlier.pointers ?? [], later.pointers ?? [], (pointer: RedactionPointer) => pointer.source);
}

function mergeBy<T>(earlier: readonly T[], later: readonly T[], key: (value: T) => number | string): T[] {
  const merged = new Map<number | string, T>();
  for (const value of [...earlier, ...later]) merged.set(key(value), value);
  return [...merged.values()];
}

/** The kind of {@link mergeFates}, from the kinds alone; null = the later stage left it alone, `kept` = it put it back. */
export function mergeKinds(earlier: FateKind, later: FateKind | null): FateKind {
  if (later === null) return earlier;
  if (later === 'kept') return 'kept';
  if (!standsInView(earlier)) return standsInView(later) ? later : earlier;
  if (!standsInView(later) || earlier === 'kept') return later;
  return earlier === 'redacted' || later === 'redacted' ? 'redacted' : 'rewritten';
}

/** The fate of a message that a stage would have touched, had it not been refused as a whole: #blockedBy is signed. */
export function refusedFate(stage: number, kind: string, would: Fate, blockedBy: number): Fate {
  const deed = standsInView(would.kind) ? 'edit' : 'remove';
  const reason = `${kind} would ${deed} this message, but was refused as a whole: #${blockedBy} carries signed reasoning, and the provider would reject the rest`;
  return { kind: 'kept', stage, rule: 'provider_safety', reason, because: blockedBy };
}

/** How many messages have each fate; kinds that do not occur are left out. */
export function countFates(fates: Iterable<Fate>): Readonly<Partial<Record<FateKind, number>>> {
  const counts: Partial<Record<FateKind, number>> = {};
  for (const fate of fates) counts[fate.kind] = (counts[fate.kind] ?? 0) + 1;
  return counts;
}

/**
 * True if two messages that left the request left it for one cause: of a summary its reason, of all others stage, rule and
 * pointer.
 */
export function isOneCause(a: Fate, b: Fate): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind || a.stage !== b.stage || a.rule !== b.rule) return false;
  return a.kind === 'summarised' ? a.reason === b.reason : a.because === b.because;
}
