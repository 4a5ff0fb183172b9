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
  /** It is being looked through. */
  readonly isLoading: boolean;
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
  // What was found before stays on screen while all is looked through again.
  const about = subject === null ? null : `${subject.id} ${subject.at}`;
  const { value, error, isLoading } = useAnswer('review.open', subject, { about, again: [round] });
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
    isLoading,
    error: failed ?? error,
    decide(decision, of) {
      if (reviewId === null || isLoading) return;
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
