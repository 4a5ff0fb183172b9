// Figures over many transcripts.

/** Sums over transcripts. What is recorded, and nothing that was counted; null = nothing of it is recorded. */
export interface StatFigures {
  readonly transcripts: number;
  /** Those with recorded usage, and those whose requests have a price: tokens and cost are theirs. */
  readonly recordedTranscripts: number;
  readonly pricedTranscripts: number;
  /**
   * Of a day and of a model: those of that time and of its requests, and so are compactions and findings. Of transcripts that
   * were not looked through, and went over several days, they are of no day.
   */
  readonly messages: number;
  readonly compactions: number;
  readonly findings: number;
  readonly requests: number;
  readonly recordedRequests: number;
  /** Tokens; `input` holds what was read from the cache. */
  readonly input: number | null;
  readonly cacheRead: number | null;
  readonly output: number | null;
  /** Of requests and the answers that are recorded, in US dollars. */
  readonly cost: number | null;
  /** Recorded requests that are not in it: no price is known of their model. */
  readonly unpriced: number;
}

/** A day (`2026-01-05`), a project or a model with its sums; '' = none is known: of a day, no time is recorded. */
export interface StatGroup {
  readonly value: string;
  readonly figures: StatFigures;
}

/** A piece of a day's bar. */
export interface StatStack {
  readonly cost: number;
  readonly input: number;
  readonly transcripts: number;
}

export interface StatTool {
  readonly name: string;
  readonly calls: number;
  readonly errors: number;
  readonly transcripts: number;
}

export interface StatKind {
  readonly kind: string;
  readonly count: number;
  readonly transcripts: number;
  /** Of those that have any, in US dollars; null = none has. */
  readonly cost: number | null;
}

/** The first groups, and how many there are. */
interface Groups<T> {
  readonly groups: readonly T[];
  readonly count: number;
}

/** Figures of the transcripts that a filter lets through. */
export interface StatsInfo {
  /** Transcripts of the library. */
  readonly of: number;
  /** Of those that fit: looked through, to be looked through, and could not be; the figures are of the first. */
  readonly looked: number;
  readonly due: number;
  readonly failed: number;
  /** Of those that fit: continue or copy another one; what both share is in both. */
  readonly copies: number;
  /** Opened from bundles: left out of all figures. */
  readonly bundles: number;
  readonly total: StatFigures;
  /** Projects that days are stacked by; behind them each day has a piece for all others. */
  readonly stacked: readonly string[];
  /** The latest first. */
  readonly days: Groups<StatGroup & { readonly stack: readonly StatStack[] }>;
  /** The dearest first. */
  readonly projects: Groups<StatGroup>;
  readonly models: Groups<StatGroup>;
  readonly tools: Groups<StatTool>;
  readonly findings: readonly StatKind[];
}

/** What the list is narrowed by; see core/library/query.ts. */
export interface AskedFacets {
  readonly values: Readonly<Record<'finding' | 'format' | 'project' | 'model' | 'tag', readonly string[]>>;
  readonly flags: readonly ('errors' | 'compactions' | 'problems' | 'bookmarks' | 'notes' | 'copies')[];
}
