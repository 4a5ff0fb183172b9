import type { FateKind } from '../view/types.ts';

/** One bar of the scrubber. Tokens are those the request at this call point would hold. */
export interface SeriesPoint {
  /** Source index of the assistant message the request was made for; the last point may be the transcript's length. */
  readonly at: number;
  readonly turn: number;
  /** In the order of CATEGORIES. */
  readonly byCategory: readonly number[];
}

/** Visibility of the traced thing at one call point. */
export interface TracePoint {
  readonly at: number;
  readonly turn: number;
  readonly state: 'visible' | 'changed' | 'absent' | 'not_yet';
}

/** Where and why something ceased to be visible. */
export interface TraceLoss {
  readonly at: number;
  readonly turn: number;
  readonly fate: FateKind;
  readonly stage: number | null;
  readonly stageTitle: string | null;
  readonly rule: string | null;
  readonly reason: string;
  /** What stands in its place in the request: text cut at 2,000 characters, null if nothing does. */
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
