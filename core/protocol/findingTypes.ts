// Findings of a session, over the protocol.
import type { Certainty, FindingKind } from '../insight/findings/types.ts';
import type { StatedFinding } from '../model/statedFinding.ts';

/** One finding as a report can state it, its evidence at most 400 characters; see core/insight/findings/types.ts. */
export interface FindingInfo extends StatedFinding {
  readonly kind: FindingKind;
  readonly certainty: Certainty;
  /** Whether presets can be asked for that prevent it. */
  readonly dependsOnPolicy: boolean;
}

/** What was found in a session under a policy, dearest first. */
export interface SessionFindings {
  readonly findings: readonly FindingInfo[];
  /** False = what the cache lost cannot be known: no usage is recorded, or the policy is not the recorded history. */
  readonly looksAtCache: boolean;
}
