// What the requests of a session come to under one policy: the figures that two policies are compared by, and that a tuning
// run sorts by. They are sums over the lines of `parallax sweep`: every call point, the next request included.

import { keptWord } from '../projection/binding/types.ts';
import type { CallPointFigures } from '../projection/callPointSums.ts';
import { type Budget, fitsTotal } from '../tokens/budget.ts';
import type { CachePoint } from './types.ts';

/** Tokens of the messages of requests; the overhead is left out, it is the same in each. */
export interface RequestTokens {
  readonly mean: number;
  /** Nearest rank: the smallest that at least 95 % of the requests do not exceed. */
  readonly p95: number;
  readonly peak: number;
}

/** Sums over the requests of a session under one policy. */
export interface RequestSums {
  readonly requests: number;
  readonly tokens: RequestTokens;
  /** The first call point whose request is the largest; null = there are no requests. */
  readonly peakAt: number | null;
  /** System prompt, tools and what is not recorded: tokens of every request apart from its messages. */
  readonly overhead: number;
  /** Input of the requests that have a price, with what the cache serves, in US dollars; null = none has. */
  readonly cost: number | null;
  /** Of `cost`: the request after the last message, which was not made; null = it has no price. */
  readonly costOfNext: number | null;
  /** Requests that are not in `cost`: no price is known of their model. */
  readonly unpriced: number;
  /** Requests that differ from the one before in more than their end. */
  readonly cacheBreaks: number;
  /** The first call point whose request does not fit the window, and how many do not; null = all fit, or no window is known. */
  readonly firstOver: number | null;
  readonly over: number;
  /** Requests that the provider would refuse for thinking bound to another conversation. */
  readonly refused: number;
}

/** What the cache makes of one request: see CacheFollower. */
export interface ChargedRequest {
  readonly cache: CachePoint | null;
  /** US dollars; null = no price is known. */
  readonly cost: number | null;
}

/** Adds up requests in order. */
export class RequestSummer {
  readonly #budget: Budget | null;
  readonly #overhead: number;
  readonly #length: number;
  readonly #totals: number[] = [];
  #peakAt: number | null = null;
  #peak = -1;
  #cost = 0;
  #costOfNext: number | null = 0;
  #unpriced = 0;
  #breaks = 0;
  #firstOver: number | null = null;
  #over = 0;
  #refused = 0;

  /** `overhead` in tokens; `length` = messages of the transcript: the request there was not made. */
  constructor(budget: Budget | null, overhead: number, length: number) {
    this.#budget = budget;
    this.#overhead = overhead;
    this.#length = length;
  }

  /** The next request. */
  add(
    { at, byCategory, loaded, thinking }: Pick<CallPointFigures, 'at' | 'byCategory' | 'loaded' | 'thinking'>,
    { cache, cost }: ChargedRequest,
  ): void {
    const tokens = byCategory.reduce((sum, each) => sum + each, 0);
    this.#totals.push(tokens);
    if (tokens > this.#peak) [this.#peak, this.#peakAt] = [tokens, at];
    if (cost === null) this.#unpriced++;
    this.#cost += cost ?? 0;
    if (at >= this.#length) this.#costOfNext = cost;
    if (cache?.brokenBy) this.#breaks++;
    if (thinking !== null && keptWord(thinking) === 'refused') this.#refused++;
    this.#checkFits(at, tokens + this.#overhead + (loaded?.tokens ?? 0));
  }

  get sums(): RequestSums {
    const requests = this.#totals.length;
    const sorted = this.#totals.toSorted((a, b) => a - b);
    const total = sorted.reduce((sum, each) => sum + each, 0);
    return {
      requests,
      tokens: { mean: requests === 0 ? 0 : total / requests, p95: p95Of(sorted), peak: Math.max(0, this.#peak) },
      peakAt: this.#peakAt,
      overhead: this.#overhead,
      cost: requests > 0 && this.#unpriced === requests ? null : this.#cost,
      costOfNext: this.#costOfNext,
      unpriced: this.#unpriced,
      cacheBreaks: this.#breaks,
      firstOver: this.#firstOver,
      over: this.#over,
      refused: this.#refused,
    };
  }

  /** Tokens of each request, in order. */
  get totals(): readonly number[] {
    return this.#totals;
  }

  #checkFits(at: number, tokens: number): void {
    if (this.#budget === null || fitsTotal(this.#budget, tokens)) return;
    this.#firstOver ??= at;
    this.#over++;
  }
}

/** The 95th percentile of ascending values by nearest rank; 0 of none. */
export function p95Of(sorted: readonly number[]): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * 0.95) - 1)] ?? 0;
}
