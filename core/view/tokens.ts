import { partText } from '../model/partText.ts';
import { readMessage } from '../model/readMessage.ts';
import type { TranscriptSource } from '../model/transcript.ts';
import { imageTokens } from '../tokens/images.ts';
import { itemText } from './reader.ts';
import type { StageContext, StageTokens, ViewItem } from './types.ts';

const MOST_REMEMBERED = 100_000;

/** Tokens where nothing is counted: a quarter of a part's characters, rounded up. */
export function estimatedTokens(source: TranscriptSource): StageTokens {
  const image = imageTokens(null, 'openai').tokens;
  const sums = [0];
  const parts = (index: number): readonly number[] =>
    source.facts(index).parts.map((part) => (part.kind === 'image' ? image : Math.ceil(part.chars / 4)));
  const message = (index: number): number => parts(index).reduce((sum, tokens) => sum + tokens, 0);
  const before = (end: number): number => {
    for (let index = sums.length - 1; index < end; index++) sums.push(sums[index]! + message(index));
    return sums[end]!;
  };
  return {
    tokenizer: 'estimate',
    exact: false,
    image,
    parts,
    message,
    range: (from, to) => before(to) - before(from),
    text: (text) => Math.ceil(text.length / 4),
  };
}

/** Tokens of an item of a view. A raw message costs a look-up; an edited or synthetic one is counted once per text. */
export function itemTokens(item: ViewItem, context: Pick<StageContext, 'source' | 'tokens' | 'memo'>): number {
  const { source, tokens, memo } = context;
  if (item.kind === 'source' && item.text === undefined) return tokens.message(item.index);
  const known = memo.get(`view.itemTokens ${tokens.tokenizer}`, () => new Map<string, number>());
  const text = itemText(item, source);
  const remembered = known.get(text);
  if (remembered !== undefined) return remembered;
  const message: unknown = JSON.parse(text);
  let sum = 0;
  for (const part of readMessage(message).parts) {
    sum += part.kind === 'image' ? tokens.image : tokens.text(partText(message, part));
  }
  if (known.size >= MOST_REMEMBERED) known.clear();
  known.set(text, sum);
  return sum;
}
