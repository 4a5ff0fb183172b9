// The shortest of what neighbouring requests have in common, over any run of them up to the last.

/** Up to where two requests are the same. */
export interface Place {
  readonly tokens: number;
  readonly blocks: number;
}

/** Grows request by request. Each is put in once and taken out once at most, so that a session takes linear time. */
export class SharedSince {
  /** Ascending in all: of each, no later request has less in common with the one before it. */
  readonly #shortest: { readonly request: number; readonly place: Place }[] = [];

  /** What a request has in common with the one before it. */
  add(request: number, place: Place): void {
    let blocks = place.blocks;
    for (let last = this.#shortest.at(-1); last && last.place.tokens >= place.tokens; last = this.#shortest.at(-1)) {
      blocks = Math.min(blocks, last.place.blocks);
      this.#shortest.pop();
    }
    this.#shortest.push({ request, place: { tokens: place.tokens, blocks } });
  }

  /** What all requests behind this one have in common with it; null = there are none. */
  since(request: number): Place | null {
    let [low, high] = [0, this.#shortest.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#shortest[middle]!.request > request) high = middle;
      else low = middle + 1;
    }
    return this.#shortest[low]?.place ?? null;
  }
}
