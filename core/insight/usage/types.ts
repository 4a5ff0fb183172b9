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

/** How a model's recorded inputs relate to the counted history: input ≈ base + factor × history. */
export type UsageFit = Calibration;

/** What requests held besides what the transcript records, as recorded usage tells. Unit: the provider's tokens. */
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

/** What recorded usage says when held against the transcript. */
export interface UsageReport {
  readonly requests: readonly RequestFigure[];
  readonly fits: readonly UsageFit[];
  readonly marks: readonly UsageMark[];
  readonly problems: readonly Problem[];
}
