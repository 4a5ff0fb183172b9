// What a change costs and what it saves: a walk along all call points under the spec as it is, and one under the changed spec.
import type { RequestSums } from '../requestSums.ts';
import type { Use } from '../uses/index.ts';
import type { KeepPrice } from './types.ts';

/** A session under one spec. */
export interface Measured {
  readonly sums: RequestSums;
  /** Tokens of the messages of all requests together. */
  readonly tokens: number;
  /** Tokens of the messages of the request that is asked about. */
  readonly here: number;
  readonly uses: readonly Use[];
  /** What the provider would refuse that request for; null = it takes it. */
  readonly refusedFor: string | null;
  /** Whether a window is known. */
  readonly hasWindow: boolean;
}

/** The difference between two runs of one session. */
export function priceOf(before: Measured, after: Measured): KeepPrice {
  const [gone, goneAfter] = [goneUses(before.uses), goneUses(after.uses)];
  const money = before.sums.cost === null || after.sums.cost === null ? null : after.sums.cost - before.sums.cost;
  return {
    tokensHere: after.here - before.here,
    tokensSession: after.tokens - before.tokens,
    costSession: money,
    unpriced: after.sums.unpriced,
    usesSaved: [...gone].filter((use) => !goneAfter.has(use)).length,
    usesLost: [...goneAfter].filter((use) => !gone.has(use)).length,
    fits: after.hasWindow ? after.sums.over === 0 : null,
    firstOver: after.sums.firstOver,
    providerTakesIt: after.refusedFor === null,
    refusedFor: after.refusedFor,
    refusedBefore: before.refusedFor !== null,
  };
}

// A changed result is not proof that anything was forgotten.
function goneUses(uses: readonly Use[]): ReadonlySet<string> {
  const gone = uses.filter(({ outcome, changed }) => outcome === 'gone' && !changed);
  // One place may rely on several things, as a call that names several files.
  return new Set(
    gone.map(({ kind, at, part, from, to, evidence }) => `${kind} ${at}.${part} ${from}-${to} ${evidence}`),
  );
}
