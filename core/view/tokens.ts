import { readMessage } from '../model/readMessage.ts';
import type { TranscriptSource } from '../model/transcript.ts';
import { imageTokens } from '../tokens/images.ts';
import { countable } from '../tokens/partTokens.ts';
import { ownPartOf } from './origins.ts';
import { itemFacts, itemText } from './reader.ts';
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
    text: (...texts) => texts.reduce((sum, text) => sum + Math.ceil(text.length / 4), 0),
  };
}

/** True for a message that is sent and not shown to the model. */
export function isUnrendered(item: ViewItem): boolean {
  return item.kind === 'source' && item.unrendered === true;
}

type Counting = Pick<StageContext, 'source' | 'tokens' | 'memo'>;

/** Tokens of an item of a view. A raw message costs a look-up; an edited or synthetic one is counted once per text. */
export function itemTokens(item: ViewItem, context: Counting): number {
  if (isUnrendered(item)) return 0;
  if (item.kind === 'source' && item.text === undefined) return context.tokens.message(item.index);
  return itemPartTokens(item, context).reduce((sum, tokens) => sum + tokens, 0);
}

/** Counts of a text by part, images as of unknown size; where those stand. */
interface TextCounts {
  readonly counts: readonly number[];
  readonly images: readonly number[];
}

/** Tokens of an item's parts, in the order of its facts as a ViewReader gives them. */
export function itemPartTokens(item: ViewItem, context: Counting): readonly number[] {
  if (isUnrendered(item)) return itemFacts(item, context.source, context.memo).parts.map(() => 0);
  if (item.kind === 'source' && item.text === undefined) return context.tokens.parts(item.index);
  const { counts, images } = textCounts(itemText(item, context.source), context);
  if (images.length === 0 || item.kind !== 'source') return counts;
  // Stages leave an image as it is or take it away: one that is left costs what it cost.
  const raw = context.tokens.parts(item.index);
  return counts.map((count, at) => {
    const from = images.includes(at) ? ownPartOf(item, at) : null;
    return from === null ? count : (raw[from] ?? count);
  });
}

function textCounts(text: string, { tokens, memo }: Counting): TextCounts {
  const known = memo.get(
    `view.itemTokens ${tokens.tokenizer} ${tokens.factor ?? 1} ${tokens.image}`,
    () => new Map<string, TextCounts>(),
  );
  const remembered = known.get(text);
  if (remembered !== undefined) return remembered;
  const guesses = tokens.guesses ?? 0;
  const message: unknown = JSON.parse(text);
  const images: number[] = [];
  const counts = readMessage(message).parts.map((part, at) => {
    if (part.kind === 'image') images.push(at);
    const counted = countable(message, part);
    return tokens.together?.(counted) ?? tokens.text(...counted.texts) + counted.images.length * tokens.image;
  });
  const made = { counts, images };
  if ((tokens.guesses ?? 0) > guesses) return made;
  if (known.size >= MOST_REMEMBERED) known.clear();
  known.set(text, made);
  return made;
}
