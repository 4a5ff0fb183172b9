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
  /** An Int32: not 0 = nobody waits for the answer. */
  readonly stop: SharedArrayBuffer;
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

/** What a thread answers. */
export type FromCheckWorker =
  | { readonly kind: 'answer'; readonly answer: CheckAnswers[CheckAsk['kind']] }
  /** How far the transcript is, in requests under each policy; an answer follows. */
  | { readonly kind: 'progress'; readonly done: number; readonly total: number }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly message: string };
