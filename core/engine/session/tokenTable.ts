import { CATEGORIES } from '../../model/category.ts';
import type { Part } from '../../model/message.ts';
import { SIZE_BITS } from '../../store/index.ts';
import type { StoredSource } from '../../store/types.ts';
import { scaled } from '../../tokens/calibrated.ts';
import { categoryIndex } from '../../tokens/categories.ts';
import type { TokenizerId } from '../../tokens/counters.ts';
import { type ImageRule, imageTokens } from '../../tokens/images.ts';

const SLOTS = CATEGORIES.length;
const IMAGE = categoryIndex('image');
const MOST_CHARS = 2 ** SIZE_BITS - 1;

/** What a table needs of a transcript. */
export type CountedSource = Pick<
  StoredSource,
  'length' | 'facts' | 'digest' | 'partPrefix' | 'tokenCounts' | 'refreshTokens'
>;

/** Tokens of a part that is not counted yet: a quarter of its characters; an image as one of unknown size. */
export function estimatePart(part: Part, images: ImageRule, factor = 1): number {
  return scaled(part.kind === 'image' ? imageTokens(null, images).tokens : Math.ceil(part.chars / 4), factor);
}

/**
 * Raw tokens of a transcript under one tokenizer: per part, and summed by category so that any span of messages costs
 * two lookups. Parts not counted yet are estimated. With a factor all of them are the provider's tokens, part by part, so
 * that every sum is a sum of what is shown.
 */
export class TokenTable {
  readonly tokenizer: TokenizerId;
  /** By what counts are multiplied. */
  readonly factor: number;
  readonly #source: CountedSource;
  readonly #images: ImageRule;
  /** Of an image of unknown size. */
  readonly #imageTokens: number;
  /** Row i = tokens by category of the messages before i. */
  #sums = new Float64Array(SLOTS);
  #countedMessages = 0;
  #hasImages = false;
  #messages = 0;
  /** Raised by every refresh that changed something. */
  revision = 0;

  constructor(source: CountedSource, tokenizer: TokenizerId, images: ImageRule, factor = 1) {
    this.#source = source;
    this.tokenizer = tokenizer;
    this.#images = images;
    this.factor = factor;
    this.#imageTokens = imageTokens(null, images).tokens;
    this.refresh();
  }

  /** Takes in counts and messages that came since. Messages are counted in order, so only what is new is looked at. */
  refresh(): void {
    this.#source.refreshTokens(this.tokenizer);
    const before = { messages: this.#messages, counted: this.#countedMessages };
    const messages = this.#source.length;
    this.#reserve(messages + 1);
    const sums = this.#sums;
    const row = sums.slice(before.counted * SLOTS, (before.counted + 1) * SLOTS);
    // What was in that row before, while it was estimated.
    let old = row;
    let at = before.counted;
    for (; at < messages; at++) {
      const counts = this.#source.tokenCounts(at, this.tokenizer);
      if (!counts) break;
      this.#addMessage(row, at, counts);
      old = sums.slice((at + 1) * SLOTS, (at + 2) * SLOTS);
      sums.set(row, (at + 1) * SLOTS);
    }
    this.#countedMessages = at;
    this.#messages = messages;
    const shift = row.map((tokens, slot) => tokens - old[slot]!);
    this.#moveRest(Math.max(at, before.messages), at, shift);
    if (at === before.counted && messages === before.messages && this.revision > 0) return;
    this.revision++;
  }

  /**
   * Messages from `from` on: those below `known` were estimated before, so they only move by what the counted ones
   * differ from their estimates; the others are new.
   */
  #moveRest(known: number, from: number, shift: Float64Array): void {
    const sums = this.#sums;
    if (shift.some((tokens) => tokens !== 0)) {
      for (let i = (from + 1) * SLOTS; i < (known + 1) * SLOTS; i++) sums[i]! += shift[i % SLOTS]!;
    }
    const last = sums.slice(known * SLOTS, (known + 1) * SLOTS);
    for (let i = known; i < this.#messages; i++) {
      this.#addMessage(last, i, null);
      sums.set(last, (i + 1) * SLOTS);
    }
  }

  // Grows in steps: a transcript that is being imported grows hundreds of times.
  #reserve(rows: number): void {
    if (this.#sums.length >= rows * SLOTS) return;
    const room = this.#sums.length === SLOTS ? rows : Math.ceil(rows * 1.25);
    const grown = new Float64Array(room * SLOTS);
    grown.set(this.#sums);
    this.#sums = grown;
  }

  #addMessage(row: Float64Array, index: number, counts: ArrayLike<number> | null): void {
    const { sizes } = this.#source.digest();
    const prefix = this.#source.partPrefix();
    const first = prefix[index]!;
    for (let at = first; at < prefix[index + 1]!; at++) {
      const size = sizes[at]!;
      const slot = size >>> SIZE_BITS;
      const isImage = slot === IMAGE;
      const tokens = counts?.[at - first] ?? (isImage ? this.#imageTokens : Math.ceil((size & MOST_CHARS) / 4));
      row[slot]! += scaled(tokens, this.factor);
      if (isImage) this.#hasImages = true;
    }
  }

  /** Names the counts: messages are counted in order, so with as many of them counted they are the same in every table. */
  get state(): string {
    return `${this.tokenizer} ×${this.factor} ${this.#countedMessages}/${this.#messages}`;
  }

  /** Messages covered. */
  get messages(): number {
    return this.#messages;
  }

  /** True if every message is counted. */
  get complete(): boolean {
    return this.#countedMessages === this.#messages;
  }

  /** Share of messages counted, 0..1. */
  get counted(): number {
    return this.#messages === 0 ? 1 : this.#countedMessages / this.#messages;
  }

  /** Images are estimates always, so totals over them are. */
  get hasImages(): boolean {
    return this.#hasImages;
  }

  /** Adds the tokens by category of the messages [from, to) to `out`. */
  addRange(out: Float64Array | number[], from: number, to: number): void {
    for (let slot = 0; slot < SLOTS; slot++) {
      out[slot]! += this.#sums[to * SLOTS + slot]! - this.#sums[from * SLOTS + slot]!;
    }
  }

  /** Tokens of all parts of a message; what is not counted yet is estimated. */
  parts(index: number): readonly number[] {
    const counts = this.#source.tokenCounts(index, this.tokenizer);
    return this.#source.facts(index).parts.map((part, at) => {
      const tokens = counts?.[at];
      return tokens === undefined ? estimatePart(part, this.#images, this.factor) : scaled(tokens, this.factor);
    });
  }

  /** Tokens of one part, and whether they are counted. */
  part(index: number, part: number): { readonly tokens: number; readonly counted: boolean } {
    const counts = this.#source.tokenCounts(index, this.tokenizer);
    const tokens = counts?.[part];
    if (tokens !== undefined) return { tokens: scaled(tokens, this.factor), counted: true };
    const facts = this.#source.facts(index).parts[part];
    return { tokens: facts ? estimatePart(facts, this.#images, this.factor) : 0, counted: false };
  }
}
