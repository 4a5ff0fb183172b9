import type { PartTokens } from '../types.ts';
import type { TokenPage } from './tokens.ts';

/** Token counts of a transcript under one tokenizer, as far as they are known: pages in order. */
export class TokenColumn {
  readonly #pages: TokenPage[] = [];

  /** The message after the last one counted. */
  get end(): number {
    const last = this.#pages.at(-1);
    return last === undefined ? 0 : last.first + last.count;
  }

  /** Adds pages that come after those known; pages are written in order, without gaps. */
  add(pages: readonly TokenPage[]): void {
    for (const page of pages) if (page.first === this.end) this.#pages.push(page);
  }

  /** Counts of one message's parts, given the transcript's prefix sums of parts; null if not counted. */
  of(index: number, prefix: Uint32Array): PartTokens | null {
    if (index >= this.end) return null;
    const page = this.#pageOf(index);
    const base = prefix[page.first]!;
    return page.counts.subarray(prefix[index]! - base, prefix[index + 1]! - base);
  }

  #pageOf(index: number): TokenPage {
    let low = 0;
    let high = this.#pages.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.#pages[middle]!.first <= index) low = middle;
      else high = middle - 1;
    }
    return this.#pages[low]!;
  }
}
