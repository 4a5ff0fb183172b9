// What threads of a check are sent, and what they answer.
import type { CachePointsMode } from '../../insight/cachePoints.ts';
import type { Price } from '../../insight/prices.ts';
import type { PolicyScopes } from '../../projection/contextScopes.ts';
import type { CheckedInfo, TriedPolicy } from '../../protocol/checkTypes.ts';

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

/** What a thread is asked, one at a time. */
export type CheckAsk =
  | { readonly kind: 'check'; readonly id: string; readonly scopes: PolicyScopes }
  | {
      readonly kind: 'try';
      readonly id: string;
      readonly scopes: PolicyScopes;
      readonly rule: number;
      readonly specs: readonly unknown[];
    };

/** What is answered to each. */
export interface CheckAnswers {
  readonly check: CheckedInfo;
  readonly try: readonly TriedPolicy[];
}

/** How far a transcript is, in requests under each policy. */
export interface CheckProgress {
  readonly done: number;
  readonly total: number;
}
