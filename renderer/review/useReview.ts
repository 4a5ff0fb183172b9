import { useEffect, useState } from 'react';
import type { ProtocolError } from '../../core/protocol/methods.ts';
import type { ReviewSubject } from '../../core/protocol/reviewMethods.ts';
import type { ReviewDecision, ReviewInfo, ReviewKind, ScrubRules } from '../../core/protocol/reviewTypes.ts';
import { useApp } from '../state/context.tsx';
import { toProtocolError } from '../state/engine.ts';
import { useAnswer } from '../state/useAnswer.ts';

/** What a decision is about: a value, or all values of a kind or of a tier. */
export type Decided = { readonly value: number } | Partial<Pick<ReviewKind, 'kind' | 'tier'>>;

export interface ReviewState {
  /** null = it is being looked through, or that failed. */
  readonly info: ReviewInfo | null;
  readonly error: ProtocolError | null;
  decide(decision: ReviewDecision | null, of: Decided): void;
  /** Answers what is wrong with the rules; null = nothing, and all is looked through again. */
  setRules(rules: ScrubRules): Promise<string | null>;
}

/** The review of what would leave, for as long as it is on screen. */
export function useReview(subject: ReviewSubject | null): ReviewState {
  const { engine } = useApp();
  const [round, setRound] = useState(0);
  const [changed, setChanged] = useState<ReviewInfo | null>(null);
  const [failed, setFailed] = useState<ProtocolError | null>(null);
  const { value, error } = useAnswer('review.open', subject, { again: [round] });
  const reviewId = value?.reviewId ?? null;
  useEffect(() => {
    if (reviewId === null) return;
    return () => {
      // The window may be gone by then, and with it whoever would hear that this failed.
      engine.call('review.close', { reviewId }).catch(() => undefined);
    };
  }, [engine, reviewId]);
  const info =
    changed !== null && changed.reviewId === reviewId && changed.version >= (value?.version ?? 0) ? changed : value;
  return {
    info,
    error: failed ?? (error?.code === 'request.superseded' ? null : error),
    decide(decision, of) {
      if (reviewId === null) return;
      engine.call('review.decide', { reviewId, decision, ...of }).then(setChanged, (thrown: unknown) => {
        setFailed(toProtocolError(thrown));
      });
    },
    async setRules(rules) {
      try {
        await engine.call('scrub.setRules', rules);
      } catch (thrown) {
        return toProtocolError(thrown).message;
      }
      setRound((before) => before + 1);
      return null;
    },
  };
}
