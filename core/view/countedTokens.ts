import type { TranscriptSource } from '../model/transcript.ts';
import type { TokenCounter } from '../tokens/counters.ts';
import { type ImageRule, imageTokens } from '../tokens/images.ts';
import { partTokens } from '../tokens/partTokens.ts';
import type { StageTokens } from './types.ts';

/**
 * Tokens counted as they are asked for, each message once: for hosts without a table of counts, and wherever the same
 * input must give the same counts (a bundle and its verification). `exact` = the counter is the model's own.
 */
export function countedTokens(
  source: TranscriptSource,
  counter: TokenCounter,
  images: ImageRule,
  exact: boolean,
): StageTokens {
  const known: (readonly number[] | undefined)[] = [];
  const sums = [0];
  const parts = (index: number): readonly number[] => {
    const counts =
      known[index] ?? partTokens(JSON.parse(source.text(index)), source.facts(index), counter, images).tokens;
    known[index] = counts;
    return counts;
  };
  const message = (index: number): number => parts(index).reduce((sum, tokens) => sum + tokens, 0);
  const before = (end: number): number => {
    for (let index = sums.length - 1; index < end; index++) sums.push((sums[index] ?? 0) + message(index));
    return sums[end] ?? 0;
  };
  return {
    tokenizer: counter.id,
    exact,
    image: imageTokens(null, images).tokens,
    parts,
    message,
    range: (from, to) => before(to) - before(from),
    text: (text) => counter.count(text),
  };
}
