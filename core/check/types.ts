// What a check finds. Costs in US dollars, tokens of whole requests (messages and what comes before them), `at` = a call
// point: the request made before that message.
import type { SurvivalClass } from '../insight/autopsy/types.ts';
import type { FindingKind } from '../insight/findings/types.ts';
import type { TextState } from '../insight/text/types.ts';
import type { Tier } from '../scrub/types.ts';
import type { Budget } from '../tokens/budget.ts';

/** A request of a session. */
export interface CheckedRequest {
  readonly at: number;
  readonly tokens: number;
  /** US dollars of its input; null = no price is known of its model. */
  readonly cost: number | null;
}

/** A text along the requests. */
export interface CheckedText {
  /** A state for each request, in their order. */
  readonly states: readonly TextState[];
  /** Why it is not in a request any more, since which one; null = nothing was lost. */
  readonly loss: { readonly at: number; readonly words: string } | null;
  /** The message that first said it; null = none does. */
  readonly first: number | null;
  /** Where the transcript says it, in order. */
  readonly places: readonly TextPlace[];
}

/** A place that says a text, and words around it. `index` null = apart from the messages. */
export interface TextPlace {
  readonly index: number | null;
  readonly at: null;
  readonly what: string;
  readonly excerpt: { readonly text: string; readonly start: number; readonly length: number };
}

/** What rules are held against: one session under one policy. Null = not asked for by any rule. */
export interface SessionFacts {
  /** In the order of the session; the last is the next one. */
  readonly requests: readonly CheckedRequest[];
  /** The first call point behind each compaction. */
  readonly compactions: readonly number[];
  /** Of requests that were made and have a price; null = none has. */
  readonly cost: number | null;
  /** Requests that were made and are not in it: no price is known of their model. */
  readonly unpriced: number;
  readonly cacheBreaks: number;
  readonly breaksAt: readonly number[];
  /** What a request may hold; null = no window is known. */
  readonly budget: Pick<Budget, 'total' | 'margin'> | null;
  readonly texts: ReadonlyMap<string, CheckedText>;
  readonly usesGone: readonly number[] | null;
  readonly findings: readonly { readonly kind: FindingKind; readonly at: number }[] | null;
  /** What should not leave the machine: kinds and places, no values. `at` null = recorded apart from the messages. */
  readonly secrets: readonly { readonly kind: string; readonly tier: Tier; readonly at: number | null }[] | null;
  readonly survival:
    | readonly {
        readonly at: number;
        /** Null = what it put in place cannot be read. */
        readonly classes: Readonly<
          Partial<Record<SurvivalClass, { readonly total: number; readonly survived: number }>>
        > | null;
      }[]
    | null;
  /** Errors of the request check, by provider and call point. */
  readonly refusals: ReadonlyMap<string, readonly { readonly index: number | null; readonly text: string }[]>;
  /** Messages with a row that fits, by filter. */
  readonly rows: ReadonlyMap<string, readonly number[]>;
  /** What a baseline records of it. */
  readonly record: BaselineRecord | null;
}

/** What is recorded of a session under a policy, and must be the same again. */
export interface BaselineRecord {
  readonly requests: number;
  /** Of the next request. */
  readonly prefix_hash: string;
  readonly tokens: number;
  readonly peak: number;
  readonly cost: number | null;
  readonly cache_breaks: number;
  readonly uses_gone: number;
}

/** `unchecked`: there was nothing to hold the rule against; that is not a pass. */
export type Verdict = 'passed' | 'failed' | 'unchecked';

/** What became of one rule on one transcript. */
export interface RuleOutcome {
  /** Position in the file of rules. */
  readonly rule: number;
  readonly verdict: Verdict;
  /** What was found, or why nothing could be. */
  readonly found: string;
  /** The call point it is about; null = the session. */
  readonly at: number | null;
  /** The message to look at; null = none in particular. */
  readonly index: number | null;
}
