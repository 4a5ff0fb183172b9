import type { TranscriptSource } from '../model/transcript.ts';
import { scaled } from '../tokens/calibrated.ts';
import type { TokenCounter } from '../tokens/counters.ts';
import { type ImageRule, imageTokens } from '../tokens/images.ts';
import { imageBlockTokens, partTokens } from '../tokens/partTokens.ts';
import type { StageTokens } from './types.ts';

/** How tokens are counted: by which tokenizer, whether that is the model's own, images by which rule, and times what. */
export interface Counting {
  readonly counter: TokenCounter;
  readonly tokenizer: string;
  readonly exact: boolean;
  readonly images: ImageRule;
  /** Makes counts the provider's; absent = 1. */
  readonly factor?: number | undefined;
}

/** A transcript that is counted already. */
export interface CountedBefore {
  readonly source: TranscriptSource;
  readonly tokens: StageTokens;
}

/**
 * Counts for stages where no table of counts is kept: each message is counted when it is first asked for. `before`: a
 * transcript, counted the same way, of which it is a copy with changes; messages that are the same are not counted again.
 */
export function countedTokens(
  source: TranscriptSource,
  { counter, tokenizer, exact, images, factor = 1 }: Counting,
  before?: CountedBefore,
): StageTokens {
  const known: (readonly number[] | undefined)[] = [];
  const parts = (index: number): readonly number[] => {
    const found = known[index];
    if (found !== undefined) return found;
    if (before !== undefined && before.source.text(index) === source.text(index)) return before.tokens.parts(index);
    const { tokens } = partTokens(JSON.parse(source.text(index)), source.facts(index), counter, images);
    const made = factor === 1 ? tokens : tokens.map((count) => scaled(count, factor));
    known[index] = made;
    return made;
  };
  const together = (texts: readonly string[], blocks: readonly unknown[]): number => {
    const ofTexts = texts.reduce((sum, text) => sum + counter.count(text), 0);
    return scaled(
      blocks.reduce<number>((sum, block) => sum + imageBlockTokens(block, images), ofTexts),
      factor,
    );
  };
  const sums = [0];
  const sumBefore = (end: number): number => {
    for (let index = sums.length - 1; index < end; index++) sums.push((sums[index] ?? 0) + message(index));
    return sums[end] ?? 0;
  };
  const message = (index: number): number => parts(index).reduce((sum, tokens) => sum + tokens, 0);
  return {
    tokenizer,
    exact,
    image: scaled(imageTokens(null, images).tokens, factor),
    factor,
    parts,
    message,
    range: (from, to) => sumBefore(to) - sumBefore(from),
    text: (...texts) => together(texts, []),
    together: (part) => together(part.texts, part.images),
  };
}
