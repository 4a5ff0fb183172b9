// What threads of a check are sent, and what they answer.
import type { CachePointsMode } from '../../insight/cachePoints.ts';
import type { Price } from '../../insight/prices.ts';
import type { PolicyScopes } from '../../projection/contextScopes.ts';
import type { CheckedBaseline, CheckedInfo, PassingChanges, TriedPolicy } from '../../protocol/checkTypes.ts';

/** What a thread is started with. */
export interface CheckWorkerData {
  readonly dir: string;
  readonly rules: string;
  readonly cachePoints: CachePointsMode;
  readonly prices: readonly Price[];
  /** Counts as they are, not the provider's. */
  readonly plain: boolean;
  /** Whether outcomes are to say what they rest on. */
  readonly evidence: boolean;
}

/** What was recorded of a transcript, by the name of the rule. */
export interface RecordedBefore extends Pick<CheckedBaseline, 'key' | 'alike'> {
  readonly records: CheckedBaseline['records'];
}

/** What a thread is asked, one at a time. `recorded` null = no rule compares with a baseline. */
export type CheckAsk =
  | {
      readonly kind: 'check';
      readonly id: string;
      readonly scopes: PolicyScopes;
      readonly recorded: RecordedBefore | null;
    }
  | {
      readonly kind: 'try';
      readonly id: string;
      readonly scopes: PolicyScopes;
      readonly recorded: RecordedBefore | null;
      readonly rule: number;
      readonly specs: readonly unknown[];
    }
  | {
      readonly kind: 'search';
      readonly id: string;
      readonly scopes: PolicyScopes;
      readonly recorded: RecordedBefore | null;
      readonly rule: number;
      readonly spec: unknown;
      readonly all: boolean;
    };

/** What is answered to each. */
export interface CheckAnswers {
  readonly check: CheckedInfo;
  readonly try: readonly TriedPolicy[];
  readonly search: PassingChanges;
}

/** How far a transcript is, in requests under each policy. */
export interface CheckProgress {
  readonly done: number;
  readonly total: number;
}
