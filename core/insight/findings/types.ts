// Findings: what a person who looks for faults in a session wants to see first. Source: insight.md §10.
import type { Confidence, Use } from '../uses/types.ts';

/**
 * `forgotten` = the same call again, because its result was not in the request, and it gave the same, or failed again;
 * `rule` = a call touches what a sentence forbids that was not in the request; `dangling` = the request points to what is
 * not in it; `started_twice` = a sub-agent with the same task; `cache_lost` = recorded usage shows it;
 * `compaction_dropped` = what a compaction took was used within the next calls; `refused` = a provider would refuse the
 * request.
 */
export type FindingKind =
  | 'forgotten'
  | 'rule'
  | 'dangling'
  | 'started_twice'
  | 'cache_lost'
  | 'compaction_dropped'
  | 'refused';

export const FINDING_KINDS: readonly FindingKind[] = [
  'forgotten',
  'rule',
  'dangling',
  'started_twice',
  'cache_lost',
  'compaction_dropped',
  'refused',
];

/** How sure it is: `recorded` = the provider's own numbers; the others as of uses. */
export type Certainty = Confidence | 'recorded';

export interface Finding {
  readonly kind: FindingKind;
  /** Source index of the message, or call point, at which it shows. */
  readonly at: number;
  /** One line: the call, the sentence, the cause. */
  readonly evidence: string;
  /** Source indices of what said it; empty = nothing did. */
  readonly sources: readonly number[];
  /** Since when it was not in the request, by which stage and rule; null = that is not what it is about. */
  readonly loss: Use['loss'];
  /** Tokens fetched, sent or written again; null = counted in other findings, or nothing was. */
  readonly tokens: number | null;
  /** What they cost, in US dollars; null = no price is known, or as tokens. */
  readonly cost: number | null;
  readonly certainty: Certainty;
  /** The uses behind it: under a policy in whose requests they stood it would not have happened. */
  readonly uses: readonly Use[];
}
