// Figures over call points, and of this turn under each preset, over the protocol.

import type { CachePointsMode } from '../insight/cachePoints.ts';
import type { SessionCost } from '../insight/money.ts';
import type { Price } from '../insight/prices.ts';
import type { ModelTerms } from '../insight/pricing.ts';
import type { AreaTotals, SeriesPoint } from '../insight/types.ts';
import type { CacheTtl } from '../model/cacheMark.ts';
import type { ThinkingCounts } from '../projection/binding/types.ts';
import type { ProjectionSpec } from '../projection/types.ts';
import type { Provenance, TokenFigure } from './types.ts';

export {
  countOf,
  groupEnds,
  isLost,
  isReported,
  mergeBy,
  mergePoints,
  messageTokens,
  recordedInputOf,
  refusedOf,
  termsOf,
  worstOf,
} from '../insight/columns.ts';
export type { TurnInfo } from '../insight/turnOf.ts';

/** What this turn would cost under one preset, or another policy that was asked for. */
export interface PresetFigure {
  readonly name: string;
  readonly title: string;
  /** Whose rules they are; null = nobody's. */
  readonly group: string | null;
  readonly spec: ProjectionSpec;
  /** Of the messages; null = the policy does not run, see `problem`. */
  readonly tokens: TokenFigure | null;
  /** Tokens of the overhead: the same under every preset. */
  readonly beside: number;
  readonly blocked: boolean;
  /** What the provider makes of the signed thinking in it; null = it is not checked, or there is none. */
  readonly thinking: ThinkingCounts | null;
  readonly problem: string | null;
  /** What a request may hold under it; null = the window is not known. */
  readonly total: number | null;
  /** Whether it fits at this turn, with the overhead; null = the window is not known. */
  readonly fits: boolean | null;
  /** The first call point that does not fit; null = all fit, absent = not asked for, or the window is not known. */
  readonly firstOver?: FirstOver | null;
  /** Over all call points; absent = not asked for, or the policy does not run. */
  readonly sums?: PolicySums;
}

/** All requests of a session under one policy. */
export interface PolicySums {
  /** The largest of them; `tokens` = all of the request. */
  readonly peak: FirstOver;
  /** Requests that a stage did not let begin as the one before. */
  readonly breaks: number;
  /** What the input of those that were made and have a price costs, cache included: US dollars; null = none has. */
  readonly cost: number | null;
  /** Those that were made and are not in it: no price is known of their model. */
  readonly unpriced: number;
  /** Requests that were made and would be refused for their thinking; those whose thinking would partly be dropped. */
  readonly thinking: { readonly refused: number; readonly drops: number };
}

/** A call point and its request; `tokens` = all of the request. */
export interface FirstOver {
  readonly at: number;
  readonly turn: number;
  readonly tokens: number;
}

/** The price table in use. */
export interface PriceTable {
  readonly rows: readonly Price[];
  /** True if it is the user's. */
  readonly edited: boolean;
  /** The day the program's own prices were looked up. */
  readonly date: string;
  /** The models of the transcript's requests, each with its row; empty = no transcript was asked for. */
  readonly models: readonly ModelTerms[];
  /** Where requests are taken to have their breakpoints. */
  readonly cachePoints: CachePointsMode;
}

/** Sums over an area; null while its call points are not all computed (`counting`), or only samples of them are (`sampled`). */
export type AreaAnswer =
  | { readonly state: 'final'; readonly totals: AreaTotals }
  | { readonly state: 'counting' | 'sampled'; readonly totals: null };

/** How the figures of a series know breakpoints and times. */
export interface CacheEvidence {
  readonly mode: CachePointsMode;
  /** Whether the transcript records marks, and how long what is not recorded is taken to live. */
  readonly marked: boolean;
  readonly ttl: CacheTtl;
  /** Whether any request so far has a time; without one all are taken to come in time. */
  readonly timed: boolean;
}

/** Figures at call points. */
export interface Series {
  readonly seriesId: string;
  /**
   * The answer of series.start: all points, as the raw history, or none. An event: those from `from` on that are computed;
   * with a problem, after an answer without points, the rest of them as the raw history.
   */
  readonly points: readonly SeriesPoint[];
  /** Position of the first of `points` among all. */
  readonly from: number;
  /** Kinds of stages that are run again at every call point, so that only samples are looked at; empty = all are. */
  readonly naive: readonly string[];
  /** What the costs go by: the models of its requests; points name one by its position. */
  readonly models: readonly ModelTerms[];
  readonly cacheEvidence: CacheEvidence;
  /** True if the transcript has more call points than points: these are evenly spaced samples. */
  readonly sampled: boolean;
  readonly callPoints: number;
  /** Tokens of the overhead in every request: the bars are of messages alone, cache figures hold them. */
  readonly beside: number;
  readonly provenance: Provenance;
  /** The whole session's input in money; null while it is computed, and of samples. */
  readonly cost: SessionCost | null;
  /** False while it is still being computed: points so far show the raw history. */
  readonly complete: boolean;
  /** Set if it could not be completed: some points still show the raw history. */
  readonly problem?: string;
}
