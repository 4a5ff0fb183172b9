// browser-safe
// What was found when a transcript was looked through: its figures, and its findings in sums. Kept in the library.
import type { FindingKind } from '../findings/types.ts';

/** Raised when the rules of figures or findings change: what was kept before is made again. */
export const SURVEY_VERSION = 6;

/** Minutes of a slot: all time zones begin their days at the border of one. */
export const SLOT_MINUTES = 15;

/** Requests of one slot of time, as recorded. */
export interface UsageSlot {
  /** Number of the slot since 1970; null = no time is recorded. */
  readonly slot: number | null;
  /** That the requests belong to (see core/insight/pricing.ts); null = none is recorded. */
  readonly model: string | null;
  readonly requests: number;
  /** Requests whose input is recorded: the figures below are theirs. Unit: tokens. */
  readonly recorded: number;
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
  /** Of the inputs, and of the answers that are recorded, in US dollars; null = no price is known. */
  readonly cost: number | null;
}

/** What a transcript holds of one slot of time and one model. */
export interface HeldSlot {
  /** Number of the slot since 1970: of a message without a time that of the one before it; null = no time is recorded. */
  readonly slot: number | null;
  /** Of the request that a message follows or belongs to; null = none is recorded. */
  readonly model: string | null;
  readonly messages: number;
  readonly compactions: number;
  readonly findings: number;
}

/** The calls of one tool. */
export interface ToolFigures {
  readonly name: string;
  readonly calls: number;
  readonly errors: number;
  /** Of its results, as counted. */
  readonly tokens: number;
}

/** The findings of one kind. */
export interface FindingSums {
  readonly kind: FindingKind;
  readonly count: number;
  /** Of those that have any; null = none has. */
  readonly tokens: number | null;
  readonly cost: number | null;
}

/** Figures of a transcript, whatever the policy. */
export interface SurveyFigures {
  readonly turns: number;
  readonly slots: readonly UsageSlot[];
  readonly held: readonly HeldSlot[];
  readonly tools: readonly ToolFigures[];
}

/** How counted tokens were obtained. */
export type CountedProvenance = 'exact' | 'calibrated' | 'estimated';

/** What the list shows of a transcript that was looked through. */
export interface SurveySums {
  /** By kind, the dearest first; under the recorded history. */
  readonly findings: readonly FindingSums[];
  /** False = recorded usage of its requests is not known: what the cache lost cannot be. */
  readonly looksAtCache: boolean;
  /** Fetched again because it was not in the request. Tokens counted as `provenance` says; cost null = no price is known. */
  readonly again: { readonly tokens: number; readonly cost: number | null };
  readonly provenance: CountedProvenance;
  /** Of all requests that record their input and have a price, in US dollars; null = there are none. */
  readonly cost: number | null;
  /** Those that record their input and are not in it: no price is known of their model. */
  readonly unpriced: number;
  /** Names of the tools it called, the most frequent first. */
  readonly tools: readonly string[];
  /** Why it could not be looked through; null = it was. */
  readonly failure: string | null;
}
