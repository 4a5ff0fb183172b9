// A token for every four characters of each text that is counted: of raw and of edited messages by the same rule.
import type { TranscriptSource } from '../../../core/model/transcript.ts';
import { countable } from '../../../core/tokens/partTokens.ts';
import type { StageTokens } from '../../../core/view/types.ts';

const IMAGE = 100;

/** Counts of a transcript. */
export function quarterTokens(source: TranscriptSource): StageTokens {
  const known = new Map<number, readonly number[]>();
  const text = (...texts: readonly string[]) => texts.reduce((sum, one) => sum + Math.ceil(one.length / 4), 0);
  const read = (index: number): readonly number[] => {
    const message: unknown = JSON.parse(source.text(index));
    return source.facts(index).parts.map((part) => {
      const { texts, images } = countable(message, part);
      return text(...texts) + images.length * IMAGE;
    });
  };
  const parts = (index: number): readonly number[] => {
    const counts = known.get(index) ?? read(index);
    known.set(index, counts);
    return counts;
  };
  const message = (index: number): number => parts(index).reduce((sum, tokens) => sum + tokens, 0);
  const range = (from: number, to: number): number => {
    let sum = 0;
    for (let index = from; index < to; index++) sum += message(index);
    return sum;
  };
  return { tokenizer: 'quarters', exact: true, image: IMAGE, parts, message, range, text };
}
