import { scaled } from '../../tokens/calibrated.ts';
import type { TokenCounter } from '../../tokens/counters.ts';
import { type ImageRule, imageTokens } from '../../tokens/images.ts';
import { type Countable, imageBlockTokens } from '../../tokens/partTokens.ts';
import type { StageTokens } from '../../view/types.ts';
import type { TokenTable } from './tokenTable.ts';

/** Characters counted within one projection (about 60 ms); what is beyond is guessed, and counted by the next one. */
const COUNT_NOW = 150_000;
/** Short texts come again and again: placeholders, stubs. */
const SHORT_TEXT = 200;
const SHORT_TEXTS = 10_000;

/** What is shared by the projections of a transcript under one tokenizer. */
export class ShortTexts {
  readonly #known = new Map<string, number>();

  count(text: string, counter: TokenCounter): number {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    if (this.#known.size >= SHORT_TEXTS) this.#known.clear();
    const tokens = counter.count(text);
    this.#known.set(text, tokens);
    return tokens;
  }
}

/** Tokens for the stages of one projection, over the table of counts. */
export class TableTokens implements StageTokens {
  readonly tokenizer: string;
  readonly exact: boolean;
  readonly image: number;
  readonly state: string;
  readonly factor: number;
  guesses = 0;
  readonly #table: TokenTable;
  readonly #counter: TokenCounter | null;
  readonly #texts: ShortTexts;
  readonly #images: ImageRule;
  readonly #row = new Float64Array(7);
  #left: number;

  constructor(
    table: TokenTable,
    counter: TokenCounter | null,
    texts: ShortTexts,
    {
      images,
      exact,
      countNow = COUNT_NOW,
    }: { readonly images: ImageRule; readonly exact: boolean; readonly countNow?: number },
  ) {
    this.tokenizer = table.tokenizer;
    this.exact = exact && table.complete && counter !== null;
    this.factor = table.factor;
    this.image = scaled(imageTokens(null, images).tokens, table.factor);
    this.state = `${table.state} ${counter !== null} ${this.exact} ${this.image}`;
    this.#table = table;
    this.#counter = counter;
    this.#texts = texts;
    this.#images = images;
    this.#left = countNow;
  }

  /** For work over many call points: that much may be counted again from now on. */
  refill(chars: number): void {
    this.#left = chars;
  }

  parts(index: number): readonly number[] {
    return this.#table.parts(index);
  }

  message(index: number): number {
    return this.range(index, index + 1);
  }

  range(from: number, to: number): number {
    this.#row.fill(0);
    this.#table.addRange(this.#row, from, to);
    let sum = 0;
    for (const tokens of this.#row) sum += tokens;
    return sum;
  }

  text(...texts: string[]): number {
    return this.together({ texts, images: [] });
  }

  together({ texts, images }: Countable): number {
    const ofTexts = texts.reduce((sum, text) => sum + this.#count(text), 0);
    return scaled(
      images.reduce<number>((sum, block) => sum + imageBlockTokens(block, this.#images), ofTexts),
      this.factor,
    );
  }

  #count(text: string): number {
    if (this.#counter !== null && text.length <= SHORT_TEXT) return this.#texts.count(text, this.#counter);
    if (this.#counter !== null && this.#left > 0) {
      this.#left -= text.length;
      return this.#counter.count(text);
    }
    this.guesses++;
    return Math.ceil(text.length / 4);
  }
}
