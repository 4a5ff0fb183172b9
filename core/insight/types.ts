import type { CacheDiagnosis } from '../model/cacheDiagnosis.ts';
import type { AppliedEdit } from '../model/message.ts';
import type { CacheBreak } from '../projection/cacheBreak.ts';
import type { CostCover } from '../view/costCover.ts';
import type { FateKind } from '../view/types.ts';

/** One bar of the scrubber. Tokens are those the request at this call point would hold. */
export interface SeriesPoint {
  /** Source index of the assistant message the request was made for; the last point may be the transcript's length. */
  readonly at: number;
  readonly turn: number;
  /** In the order of CATEGORIES. */
  readonly byCategory: readonly number[];
  /** Tokens of the tools that its messages load; absent = none. */
  readonly loaded?: number;
  /** Position of its model among those of the series; absent = the first. */
  readonly model?: number;
  /** Messages of the request; absent while the point shows the raw history. */
  readonly items?: number;
  /** True if provider safety refused a stage there. */
  readonly blocked?: boolean;
  /** Against the request before; null at the first, absent while it is not known. */
  readonly cache?: CachePoint | null;
  /** What the answer's usage records of the input, of the request that was really made; absent if nothing. */
  readonly recorded?: RecordedCache;
  /** True if the provider would refuse the request for its thinking. */
  readonly refused?: boolean;
  /** Absent if no times are recorded. */
  readonly time?: PointTime;
  /** Present where the point stands for several call points; its own figures are then those of the one with the most tokens. */
  readonly shares?: SharedColumn;
}

/** When a request was made and answered, and what went before it. Unit: milliseconds (the first two since 1970). */
export interface PointTime {
  readonly requested: number;
  /** When the answer was there; `requested` where that is not recorded. */
  readonly until: number;
  /** How long the answer took; null = not recorded. */
  readonly took: number | null;
  /** Between the answer before and the request: how long tools ran, and how long it waited for a person; null = not at all. */
  readonly tools: number | null;
  readonly waiting: number | null;
}

/** What several call points that share a column have in common. */
export interface SharedColumn {
  readonly count: number;
  /** Source indices of the first and the last of them. */
  readonly first: number;
  readonly last: number;
  /** The largest recorded input; null = none is recorded. Unit: tokens. */
  readonly recorded: number | null;
  /** How many requests a provider would refuse, and at how many provider safety refused a stage. */
  readonly refused: number;
  readonly blocked: number;
  /** The one whose cache fared worst. */
  readonly worst: SeriesPoint;
}

/** Sums over an area of the chart: the requests that were made at some call points. Unit: tokens, US dollars, milliseconds. */
export interface AreaTotals {
  readonly calls: number;
  /** The area holds the next request too, which was not made and is in no sum. */
  readonly hasNext: boolean;
  /** Source indices of the first and the last call; null = there is none. */
  readonly first: number | null;
  readonly last: number | null;
  /** From the first request to the last answer, and of that answers, tools and waiting for a person; null = not recorded. */
  readonly time: {
    readonly begins: number;
    readonly ends: number;
    readonly answering: number;
    readonly tools: number;
    readonly waiting: number;
  } | null;
  /** Of the requests that record their input; `cost` = of them and their answers, null = none is recorded, or no price is known. */
  readonly recorded: {
    readonly requests: number;
    readonly input: number;
    readonly read: number;
    readonly written: number;
    /** The largest input. */
    readonly peak: number;
    /** Of the answers that record it, and how many do. */
    readonly output: number;
    readonly answers: number;
    readonly cost: number | null;
    /** What the cost is of. */
    readonly priced: CostCover;
  };
  /** Under the policy, the overhead included; `cost` = of the input, null = no price is known. */
  readonly policy: {
    readonly tokens: number;
    readonly peak: number;
    readonly peakAt: number | null;
    readonly served: number;
    readonly written: number;
    readonly breaks: number;
    readonly refused: number;
    readonly cost: number | null;
    /** Requests that are not in the cost: no price is known of their model. */
    readonly unpriced: number;
  };
}

/** Recorded usage of a request. Unit: tokens; null = not recorded. */
export interface RecordedCache {
  /** All of its input, what was read from the cache or written to it included. */
  readonly input: number | null;
  readonly read: number | null;
  readonly written: number | null;
  /** What the provider said of it against the request before; absent = no such field is recorded. */
  readonly diagnosis?: CacheDiagnosis;
  /** What the provider edited of the request's context, as the answer reports; absent = nothing. */
  readonly edits?: readonly AppliedEdit[];
}

/** What a request has in common with the one before it, and what a cache makes of that. Unit: tokens, US dollars. */
export interface CachePoint {
  /** The longest common beginning. */
  readonly prefixMessages: number;
  readonly prefixTokens: number;
  /** What the provider's cache serves of it by its documented rules; where none is known, all of it. */
  readonly servedTokens: number;
  /** What the request writes to the cache. */
  readonly writtenTokens: number;
  /** Behind the beginning: what is not new, but must be sent and read again. */
  readonly againTokens: number;
  /** Which stage ended it, at which message, under which rule; null = nothing did, the request only grew. */
  readonly brokenBy: CacheBreak | null;
  /** What the break costs: tokens to be written again × (write − read); 0 without a break, null without a price. */
  readonly cost: number | null;
  /** How the request's breakpoints are known: its own marks, a choice, the provider's own way, or it is not cached. */
  readonly points: 'recorded' | 'assumed' | 'automatic' | 'none';
  /** What is in common and was cached, and is not served all the same. Not the policy's doing. */
  readonly loss: CacheLoss | null;
}

/** Cached tokens that a request does not get: their time was over, no breakpoint is near enough to them, or another model answers. */
export interface CacheLoss {
  readonly why: 'time' | 'reach' | 'model';
  readonly tokens: number;
  /** By time: since the entry was last used, and how long it lives. Unit: milliseconds; null = not known. */
  readonly gapMs: number | null;
  readonly lifetimeMs: number | null;
  /** By the model: that of the request before, which would have served them, and its own; null = not recorded. */
  readonly changed?: { readonly from: string | null; readonly to: string | null };
  /** As the cost of a break. */
  readonly cost: number | null;
}

/** Visibility of the traced thing at one call point. */
export interface TracePoint {
  readonly at: number;
  readonly turn: number;
  readonly state: 'visible' | 'changed' | 'absent' | 'not_yet';
}

/** Where and why something ceased to be visible. */
export interface TraceLoss {
  /** Call point. */
  readonly at: number;
  readonly turn: number;
  readonly fate: FateKind;
  /** Position in the spec; null = no stage says so. */
  readonly stage: number | null;
  readonly stageTitle: string | null;
  readonly rule: string | null;
  readonly reason: string;
  /** What is in its place in the request: text cut at 2,000 characters, null if nothing is. */
  readonly replacedBy: string | null;
}

/** The answer to "why not visible?" for one message or part. */
export interface Trace {
  readonly index: number;
  readonly part: number | null;
  readonly points: readonly TracePoint[];
  /** True if points are samples; the turn of first loss is exact all the same. */
  readonly sampled: boolean;
  readonly firstLoss: TraceLoss | null;
  /** At the call point shown now. */
  readonly now: { readonly state: TracePoint['state']; readonly loss: TraceLoss | null };
  /** Call points at which it is visible again after a loss. */
  readonly returns: readonly number[];
}
