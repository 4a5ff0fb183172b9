import type { CacheDiagnosis, DiagnosedCause } from '../../model/cacheDiagnosis.ts';
import type { Usage } from '../../model/message.ts';
import type { Problem } from '../../model/problem.ts';
import type { Calibration } from '../../tokens/calibrated.ts';

/** What is known of one request whose answer records usage. Tokens as counted here; usage as recorded. */
export interface RequestRecord {
  /** Source index of the answer: the request was made at this call point. */
  readonly at: number;
  readonly usage: Usage;
  /** Counted tokens of the history that the request held, recorded compactions applied. */
  readonly history: number;
  /** Counted tokens of the answer. */
  readonly answer: number;
  /** Raised with every recorded compaction before `at`. */
  readonly era: number;
  /** ISO-8601. */
  readonly timestamp?: string;
  readonly model?: string;
  /** See MessageMeta. */
  readonly effort?: string;
  readonly speed?: string;
  readonly diagnosis?: CacheDiagnosis;
  /** The answer's id, as the provider gave it. */
  readonly id?: string;
}

/** A request's recorded figures beside what was counted. Unit: tokens. */
export interface RequestFigure {
  readonly at: number;
  /** All input: read from the cache, written to it, or neither. */
  readonly input: number;
  readonly cacheRead: number | null;
  readonly cacheWrite: number | null;
  readonly output: number | null;
  readonly history: number;
  readonly answer: number;
  /** What the line of this model expects as input; null where there is none. */
  readonly expected: number | null;
}

/** A request with its record and the fit of its model. */
export interface Request {
  readonly record: RequestRecord;
  readonly figure: RequestFigure;
  /** Tokens recorded for one counted; 1 where there is no fit. */
  readonly factor: number;
  /** True if the fit explains what is recorded: then it may also show what is missing. */
  readonly isFitted: boolean;
}

/** How a model's recorded inputs relate to the counted history: input ≈ base + factor × history. */
export type UsageFit = Calibration;

/** What requests held besides what the transcript records, by recorded usage. Unit: the provider's tokens. */
export interface RecordedOverhead {
  readonly tokens: number;
  /** Median distance of single requests. */
  readonly spread: number;
  readonly requests: number;
  readonly model: string | null;
}

/** A place on the chart: a request that stands out. */
export interface UsageMark {
  readonly at: number;
  readonly kind: 'drop' | 'cache_miss';
  readonly label: string;
}

/**
 * Why a request did not find what was cached: settings that have their own caches, a recorded compaction, a parameter that
 * shapes the prompt, an entry whose time was over or that is not looked for, a part of the request that changed.
 */
export type MissCause =
  | 'model'
  | 'speed'
  | 'compaction'
  | 'parameter'
  | 'time'
  | 'reach'
  | 'tools'
  | 'system'
  | 'messages'
  | 'unknown';

/** A request that found less than half of what the one before it had left in the cache. Unit: tokens, as recorded. */
export interface CacheMiss {
  readonly at: number;
  /** What the request before had left, as far as this one may hold it. */
  readonly left: number;
  readonly read: number;
  readonly lost: number;
  /** Worked out here, without the provider's diagnosis. */
  readonly cause: MissCause;
  readonly why: string;
  /** What the provider said; null = no such field is recorded. */
  readonly diagnosis: CacheDiagnosis | null;
}

/** Diagnoses of the provider in numbers, each answer once. */
export interface DiagnosisSum {
  /** Answers with the field, whatever it says. */
  readonly answers: number;
  /** Those that name what changed, by cause: how many, and the provider's estimates of tokens missed. */
  readonly changed: readonly { readonly cause: DiagnosedCause; readonly requests: number; readonly tokens: number }[];
  /** Those that could not say. */
  readonly unknown: number;
}

/** What recorded usage says when held against the transcript. */
export interface UsageReport {
  readonly requests: readonly RequestFigure[];
  readonly fits: readonly UsageFit[];
  readonly marks: readonly UsageMark[];
  readonly misses: readonly CacheMiss[];
  readonly diagnoses: DiagnosisSum;
  readonly problems: readonly Problem[];
}
