// Which untouched messages have a result that goes unless it is named: one value of `min_chars` decides it, whatever the
// window of roots. Kept for the values asked last, so that the slider of the window asks no message about its results.
import type { StageMemo } from '../../view/types.ts';

/** Instead of the number of a result: the message has none that may go, or several. */
export const NONE = -1;
export const SEVERAL = -2;

const ANSWERS_FROM = 3;
/** Values of `min_chars`: the one in use, and those before and behind it. */
const KEPT = 3;

/** The answers for one value. */
export class RawCandidates {
  /** By message 0 if it was not asked about, else its answer + ANSWERS_FROM. */
  readonly #answers: Int32Array;

  constructor(messages: number) {
    this.#answers = new Int32Array(messages);
  }

  get length(): number {
    return this.#answers.length;
  }

  isKnown(index: number): boolean {
    return this.#answers[index] !== 0;
  }

  /** The number of the one result that may go, NONE or SEVERAL; `decide` is asked once a message. */
  of(index: number, decide: (index: number) => number): number {
    const known = this.#answers[index]!;
    if (known !== 0) return known - ANSWERS_FROM;
    const answer = decide(index);
    this.#answers[index] = answer + ANSWERS_FROM;
    return answer;
  }
}

/** The answers for a value of `min_chars`, kept in the memo of a transcript of so many messages. */
export function rawCandidates(memo: StageMemo, minChars: number, messages: number): RawCandidates {
  const kept = memo.get('harn.raw_candidates', () => new Map<number, RawCandidates>());
  const known = kept.get(minChars);
  // A transcript that has grown is asked from the start.
  const answers = known?.length === messages ? known : new RawCandidates(messages);
  kept.delete(minChars);
  kept.set(minChars, answers);
  for (const value of kept.keys()) if (kept.size > KEPT) kept.delete(value);
  return answers;
}
