// browser-safe
// What a bundle says of its scrubbing: kinds and counts, no values.

/** Findings of one kind and tier. */
export interface ScrubCount {
  readonly kind: string;
  readonly tier: 'definite' | 'candidate';
  /** Places where it was found. */
  readonly count: number;
  /** Of these, masked. */
  readonly masked: number;
}

/** What was found in a transcript before it left, and what was done about it. */
export interface ScrubReport {
  /** False: it was written as it is, secrets included. */
  readonly scrubbed: boolean;
  /** By kind, definite ones first. */
  readonly findings: readonly ScrubCount[];
  /** Whether the policy decides of the scrubbed transcript as it did of the original; absent = not scrubbed. */
  readonly same_outcome?: boolean;
}
