import type { TranscriptSource } from '../model/transcript.ts';
import type { TokenCounter } from '../tokens/counters.ts';
import { type ImageRule, imageTokens } from '../tokens/images.ts';
import { partTokens } from '../tokens/partTokens.ts';
import type { StageTokens } from './types.ts';

/** How tokens are counted: by which tokenizer, whether that is the model's own, and images by which rule. */
export interface Counting {
  readonly counter: TokenCounter;
  readonly tokenizer: string;
  readonly exact: boolean;
  readonly images: ImageRule;
}

/** Counts for stages where no table of counts is kept: each message is counted when it is first asked for. */
export function countedTokens(source: TranscriptSource, { counter, tokenizer, exact, images }: Counting): StageTokens {
  const known: (readonly number[] | undefined)[] = [];
  const parts = (index: number): readonly number[] => {
    const found =
      known[index] ?? partTokens(JSON.parse(source.text(index)), source.facts(index), counter, images).tokens;
    known[index] = found;
    return found;
  };
  const sums = [0];
  const before = (end: number): number => {
    for (let index = sums.length - 1; index < end; index++) sums.push((sums[index] ?? 0) + message(index));
    return sums[end] ?? 0;
  };
  const message = (index: number): number => parts(index).reduce((sum, tokens) => sum + tokens, 0);
  return {
    tokenizer,
    exact,
    image: imageTokens(null, images).tokens,
    parts,
    message,
    range: (from, to) => before(to) - before(from),
    text: (text) => counter.count(text),
  };
}
