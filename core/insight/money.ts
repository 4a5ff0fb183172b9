// What the input of a session's requests costs: as recorded, and as a policy would have it. Answers are the same under any
// policy, and are not counted. Prices: prices.ts; what the cache serves: cache.ts.
import type { CacheTtl } from '../model/cacheMark.ts';
import type { Usage } from '../model/message.ts';
import { type Price, priceAt } from './prices.ts';
import { inputOf } from './usage/input.ts';

/** A request's input by how it is charged. Unit: tokens. */
export interface ChargedInput {
  readonly total: number;
  readonly read: number;
  readonly written: number;
  /** Of `written`: what is written to live for an hour. */
  readonly writtenForAnHour: number;
}

/** What an input costs. US dollars. */
export function inputCost(price: Price, { total, read, written, writtenForAnHour }: ChargedInput): number {
  const { input, cachedRead, cacheWrite, cacheWrite1h = cacheWrite } = priceAt(price, total);
  const fresh = Math.max(0, total - read - written);
  const short = Math.max(0, written - writtenForAnHour);
  return (fresh * input + read * cachedRead + short * cacheWrite + writtenForAnHour * cacheWrite1h) / 1e6;
}

/** What a request is charged for, as its answer records it; null if it records no input. `includes`: see includesCache. */
export function recordedInput(usage: Usage, includes: boolean): ChargedInput | null {
  const total = inputOf(usage, includes);
  if (total === null) return null;
  const { cacheRead: read = 0, cacheWrite: written = 0, cacheWrite1h: writtenForAnHour = 0 } = usage;
  return { total, read, written, writtenForAnHour };
}

/** What a request would be charged for, as the cache's rules have it. */
export function servedInput(total: number, served: number, written: number, ttl: CacheTtl): ChargedInput {
  return { total, read: served, written, writtenForAnHour: ttl === '1h' ? written : 0 };
}

/** What the inputs of requests cost, as recorded; null = none records its input, or no price is known. US dollars. */
export function recordedCost(price: Price | null, usages: readonly Usage[], includes: boolean): number | null {
  const charged = usages.flatMap((usage) => recordedInput(usage, includes) ?? []);
  return price === null || charged.length === 0
    ? null
    : charged.reduce((sum, input) => sum + inputCost(price, input), 0);
}

/** The input of a whole session's requests. US dollars. */
export interface SessionCost {
  /** Requests that were made, and those of them that record their input. */
  readonly requests: number;
  readonly recordedRequests: number;
  /** Of the latter; null = there are none, or no price is known. */
  readonly recorded: number | null;
  /** Of the former, under the policy; null = no price is known. */
  readonly policy: number | null;
}

/** Adds up both, request by request. */
export class SessionSums {
  readonly #price: Price | null;
  #requests = 0;
  #recordedRequests = 0;
  #recorded = 0;
  #policy = 0;

  constructor(price: Price | null) {
    this.#price = price;
  }

  /** A request that was made. `recorded` = what it was charged for, null = not recorded; `policy` = what it would cost. */
  add(recorded: ChargedInput | null, policy: number): void {
    this.#requests++;
    this.#policy += policy;
    if (recorded === null || this.#price === null) return;
    this.#recordedRequests++;
    this.#recorded += inputCost(this.#price, recorded);
  }

  get cost(): SessionCost {
    const requests = { requests: this.#requests, recordedRequests: this.#recordedRequests };
    if (this.#price === null) return { ...requests, recorded: null, policy: null };
    return { ...requests, recorded: this.#recordedRequests === 0 ? null : this.#recorded, policy: this.#policy };
  }
}
