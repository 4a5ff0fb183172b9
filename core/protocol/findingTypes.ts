// Findings of a session, over the protocol.
import type { Certainty, FindingKind } from '../insight/findings/types.ts';

/** One finding; see core/insight/findings/types.ts. */
export interface FindingInfo {
  readonly kind: FindingKind;
  /** Source index of the message, or call point, at which it shows. */
  readonly at: number;
  /** At most 400 characters. */
  readonly evidence: string;
  readonly sources: readonly number[];
  /** Since when it was not in the request, and by what; null = that is not what it is about. */
  readonly loss: {
    readonly since: number;
    readonly stageTitle: string | null;
    readonly rule: string | null;
    readonly reason: string;
  } | null;
  readonly tokens: number | null;
  /** US dollars; null = no price is known, or it is counted in others. */
  readonly cost: number | null;
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
