import type { StatedFinding } from '../model/statedFinding.ts';

/** The answer to whether a bundle is what it says: `same` if nothing differs. */
export interface VerifyReport {
  readonly same: boolean;
  readonly differences: readonly { readonly what: string; readonly expected: string; readonly got: string }[];
  readonly engineVersion: { readonly bundle: string; readonly here: string };
  readonly messages: number;
  readonly prefixHash: string;
  /** As the bundle states them. */
  readonly findings: readonly StatedFinding[];
}
