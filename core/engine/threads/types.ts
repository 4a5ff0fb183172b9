// The messages between a pool and its threads, and what becomes of a task.

/** What a thread says. Each task ends with exactly one `answer`, `failed` or `stopped`. */
export type FromThread<Answer, Progress = never, News = never> =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'stopped' }
  /** How far its task is. */
  | { readonly kind: 'progress'; readonly progress: Progress }
  /** Belongs to no task. */
  | { readonly kind: 'news'; readonly news: News };

/** What becomes of a task: each ends in exactly one of these. */
export type Outcome<Answer> =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'failed'; readonly message: string }
  /** Its thread ended meanwhile. `reason` = what was thrown there; '' if nothing was. */
  | { readonly kind: 'died'; readonly reason: string; readonly code: number | null }
  /** It took longer than it may, and its thread was ended. */
  | { readonly kind: 'late' }
  /** It was cancelled, or the pool was closed. */
  | { readonly kind: 'stopped' };

/** What a thread of a pool is started with, besides what belongs to its kind. */
export interface StopWord {
  /** An Int32: not 0 = nobody waits for answers any more. */
  readonly stop: SharedArrayBuffer;
}

/** Nobody waits for the answer any more. */
export class StoppedError extends Error {
  constructor() {
    super('it was stopped');
  }
}

/** The answer. Throws StoppedError, or an error that says what happened; `whose` = "The thread of a sweep". */
export function answerOf<Answer>(outcome: Outcome<Answer>, whose: string): Answer {
  switch (outcome.kind) {
    case 'answer':
      return outcome.answer;
    case 'stopped':
      throw new StoppedError();
    case 'failed':
      throw new Error(outcome.message);
    case 'late':
      throw new Error(`${whose} took too long.`);
    case 'died':
      throw new Error(outcome.reason === '' ? `${whose} ended (code ${outcome.code}).` : outcome.reason);
  }
}
