import type { StageTokens } from '../view/types.ts';

/** The counts of whoever asks: stages are kept from one to the next, and count by the one that asks now. */
export class CurrentTokens implements StageTokens {
  #now: StageTokens;
  /** Another number, other counts. */
  epoch = 0;

  constructor(tokens: StageTokens) {
    this.#now = tokens;
  }

  become(tokens: StageTokens): void {
    if ((tokens.state ?? tokens) !== (this.#now.state ?? this.#now)) this.epoch++;
    this.#now = tokens;
  }

  get tokenizer(): string {
    return this.#now.tokenizer;
  }

  get exact(): boolean {
    return this.#now.exact;
  }

  get image(): number {
    return this.#now.image;
  }

  get factor(): number {
    return this.#now.factor ?? 1;
  }

  get guesses(): number {
    return this.#now.guesses ?? 0;
  }

  parts(index: number): readonly number[] {
    return this.#now.parts(index);
  }

  message(index: number): number {
    return this.#now.message(index);
  }

  range(from: number, to: number): number {
    return this.#now.range(from, to);
  }

  text(...texts: string[]): number {
    return this.#now.text(...texts);
  }
}
