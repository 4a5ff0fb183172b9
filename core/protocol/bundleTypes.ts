// What clients see of a bug report's bundle.
import type { StatedFinding } from '../model/statedFinding.ts';

export type { StatedFinding } from '../model/statedFinding.ts';

/** What a bundle, opened as a transcript, says of where it is from. */
export interface BundleInfo {
  /** Of the transcript it was made of. */
  readonly title: string;
  readonly format: string;
  readonly messages: number;
  /** Source index of its call point. */
  readonly at: number;
  /** As it states it. */
  readonly prefixHash: string;
  readonly engineVersion: string;
  readonly createdAt: string | null;
  /** Of its messages before the call point: how many are there without their words; 0 = all have them. */
  readonly emptied: number;
  /** Findings that were chosen for it. */
  readonly findings: readonly StatedFinding[];
}
