// browser-safe
// What a bundle says of its scrubbing: kinds and counts, no values.
import { grouped } from '../util/counts.ts';

/** Findings of one kind and tier. */
export interface ScrubCount {
  readonly kind: string;
  readonly tier: 'definite' | 'candidate';
  /** Places where it was found. */
  readonly count: number;
  /** Of these, masked or taken out: which of the two is not recorded. */
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

/** What was done about what was found, in words: `971 masked or taken out, 2 kept`. */
export function doneWords(findings: readonly Pick<ScrubCount, 'count' | 'masked'>[]): string {
  const masked = findings.reduce((sum, one) => sum + one.masked, 0);
  const kept = findings.reduce((sum, one) => sum + one.count - one.masked, 0);
  return `${grouped(masked)} masked or taken out, ${grouped(kept)} kept`;
}
