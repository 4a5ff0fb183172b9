import { CATEGORIES, type Category } from '../model/category.ts';
import type { MessageFacts } from '../model/message.ts';
import { partText } from '../model/partText.ts';
import { readMessage } from '../model/readMessage.ts';
import type { TranscriptSource } from '../model/transcript.ts';
import { itemText } from '../view/reader.ts';
import type { View } from '../view/types.ts';

/** Tokens of each part of a raw message, in the order of MessageFacts.parts; usually counted at import and kept. */
export type PartTokens = (index: number) => readonly number[];

/** Counts the tokens of a text. */
export interface TextCounter {
  count(text: string): number;
}

/** Tokens by category (slots of CATEGORIES), of the raw messages [0, at) and of the view. */
export interface TokenComparison {
  readonly raw: readonly number[];
  readonly projected: readonly number[];
}

/**
 * Compares the tokens of a view with those of the transcript it was made from. Raw messages cost a look-up; edited and
 * synthetic ones are read and counted, images in them as `imageTokens` each.
 */
export function viewTokens(
  source: TranscriptSource,
  at: number,
  view: View,
  partTokens: PartTokens,
  counter: TextCounter,
  imageTokens = 0,
): TokenComparison {
  const raw = new Tally();
  for (let index = 0; index < at; index++) raw.addParts(source.facts(index), partTokens(index));
  const projected = new Tally();
  for (const item of view.items) {
    if (item.kind === 'source' && item.text === undefined) {
      projected.addParts(source.facts(item.index), partTokens(item.index));
      continue;
    }
    const message: unknown = JSON.parse(itemText(item, source));
    const facts = readMessage(message);
    const tokens = facts.parts.map((part) =>
      part.kind === 'image' ? imageTokens : counter.count(partText(message, part)),
    );
    projected.addParts(facts, tokens);
  }
  return { raw: raw.slots, projected: projected.slots };
}

const SLOT: ReadonlyMap<Category, number> = new Map(CATEGORIES.map((category, slot) => [category, slot]));

class Tally {
  readonly slots: number[] = CATEGORIES.map(() => 0);

  addParts(facts: MessageFacts, tokens: readonly number[]): void {
    for (const [at, part] of facts.parts.entries()) {
      const slot = SLOT.get(part.category) ?? 0;
      this.slots[slot] = (this.slots[slot] ?? 0) + (tokens[at] ?? 0);
    }
  }
}
