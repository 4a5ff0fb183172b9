/**
 * A summary of a span of a transcript that is beside it: `recorded` by the runtime that wrote it, or `written` by a
 * person here. A projection never makes one.
 */
export interface SummaryArtifact {
  /** Source indices, end exclusive. */
  readonly from: number;
  readonly to: number;
  readonly content: string;
  /** 1 for the first of a span; a later one of the same span has a higher number. */
  readonly version: number;
  readonly origin: 'recorded' | 'written';
}
