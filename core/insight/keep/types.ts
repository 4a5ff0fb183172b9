// What would have kept a message or a text: changes of the spec, each proved by a projection and minimal. Rules: insight.md §4.
import type { ProjectionSpec } from '../../projection/types.ts';

/** What is to be kept: a message by its source index, or a text, as `trace` looks for it. */
export type KeepSubject =
  | { readonly message: number }
  | { readonly text: string; readonly matchCase?: boolean; readonly wholeWord?: boolean };

/** An operation on the spec's JSON (RFC 6902). */
export interface PatchOperation {
  readonly op: 'add' | 'replace' | 'remove' | 'move';
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

/** `option` = values of options; `exempt` = a list of what is spared; `off`; `order`; `pin`. */
export type ChangeKind = 'option' | 'exempt' | 'off' | 'order' | 'pin';

/** A number that was relaxed, and what proves that it need not be larger. */
export interface CriticalValue {
  /** Position of the stage, its option as the spec names it (`turns`, `tools.Bash.keep`), and as the screen does. */
  readonly stage: number;
  readonly option: string;
  readonly title: string;
  readonly from: number;
  readonly to: number;
  /** The value next to it, under which the request does not hold it. */
  readonly tooFew: number;
}

/** A change that was proved: under `spec` the request holds what was asked for. */
export interface ProvedChange {
  readonly kind: ChangeKind;
  /** For people: `Tool-result retention: Turns to keep 6 → 14 (13 is too few)`. */
  readonly words: string;
  readonly patch: readonly PatchOperation[];
  readonly spec: ProjectionSpec;
  readonly proved: true;
  /** The numbers in it; empty for a change that has none. */
  readonly critical: readonly CriticalValue[];
  /** Specs with one step less, each projected: none of them holds it. */
  readonly less: readonly ProjectionSpec[];
}

/** A stage that took it. */
export interface Taker {
  /** Position in the spec. */
  readonly stage: number;
  readonly title: string;
  readonly rule: string | null;
  readonly reason: string;
}

/** What the search found. `there` = the request holds it; `not_said` = nobody said it before the call point. */
export interface KeepFound {
  readonly state: 'there' | 'not_said' | 'found' | 'none';
  readonly changes: readonly ProvedChange[];
  /** The stages that took it, one behind the other: the next one does once those before are off. */
  readonly takers: readonly Taker[];
  /** Options of these stages no value of which keeps it: `Tool-result retention: Act every`. */
  readonly useless: readonly string[];
  /** How many specs were projected. */
  readonly tried: number;
}

/** `message` = with its call or results; `words` = the part that first says them; `users` = all that people said. */
export type PinWay = 'message' | 'words' | 'turn' | 'users';

/** A way to pin a message. `change` = proved; null = it does not do, and `whyNot` says why. */
export interface PinChoice {
  readonly way: PinWay;
  readonly title: string;
  readonly change: ProvedChange | null;
  readonly whyNot: string | null;
}

/** What a change costs and what it saves; sums go over all requests of the session, the next one included. */
export interface KeepPrice {
  /** Tokens more in this request. */
  readonly tokensHere: number;
  /** Tokens more in all requests together. */
  readonly tokensSession: number;
  /** US dollars more for the input of all requests that have a price, with what the cache serves; null = none has. */
  readonly costSession: number | null;
  /** Requests that are not in it: no price is known of their model. */
  readonly unpriced: number;
  /** Uses whose evidence is gone without the change and is not with it, and the other way round. */
  readonly usesSaved: number;
  readonly usesLost: number;
  /** Whether all requests fit the window; null = none is known. `firstOver` = the first that does not. */
  readonly fits: boolean | null;
  readonly firstOver: number | null;
  /** Whether the provider would take this request; `refusedFor` = what it objects to first. */
  readonly providerTakesIt: boolean;
  readonly refusedFor: string | null;
  /** It would refuse the request without the change, too. */
  readonly refusedBefore: boolean;
}

/** A change with its price. */
export interface PricedChange extends ProvedChange, KeepPrice {}
