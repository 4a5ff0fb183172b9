// What the input of a session's requests costs: as recorded, and as a policy would have it. Answers are the same under any
// policy, and are not counted. Prices: prices.ts; what the cache serves: cache.ts.
import type { CacheTtl } from '../model/cacheMark.ts';
import type { Usage, UsageFigures } from '../model/message.ts';
import { type Price, priceAt } from './prices.ts';
import { promptOf, sizeOf } from './usage/input.ts';

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

/** What a request held, as its answer records it; null if it records no input. `includes`: see includesCache. */
export function recordedInput(usage: Usage, includes: boolean): ChargedInput | null {
  return chargeOf(promptOf(usage), includes);
}

/**
 * All requests that an answer was billed for, each of them priced by itself; null if none is recorded. A compaction's
 * request comes on top of what the usage says else. Those of other models (an advisor's) are left out: their price is
 * another one.
 */
export function billedInputs(usage: Usage, includes: boolean): readonly ChargedInput[] | null {
  const { requests = [usage] } = usage;
  const own = requests.filter((each) => !('kind' in each) || each.kind !== 'other');
  const charged = own.flatMap((each) => chargeOf(each, includes) ?? []);
  return charged.length === 0 ? null : charged;
}

function chargeOf(figures: UsageFigures, includes: boolean): ChargedInput | null {
  const total = sizeOf(figures, includes);
  if (total === null) return null;
  const { cacheRead: read = 0, cacheWrite: written = 0, cacheWrite1h: writtenForAnHour = 0 } = figures;
  return { total, read, written, writtenForAnHour };
}

/** What a request would be charged for, as the cache's rules have it. */
export function servedInput(total: number, served: number, written: number, ttl: CacheTtl): ChargedInput {
  return { total, read: served, written, writtenForAnHour: ttl === '1h' ? written : 0 };
}

/** What the inputs of requests cost, as recorded; null = none records its input, or no price is known. US dollars. */
export function recordedCost(price: Price | null, usages: readonly Usage[], includes: boolean): number | null {
  const charged = usages.flatMap((usage) => billedInputs(usage, includes) ?? []);
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

  /** A request that was made. `recorded` = what it was charged for (see billedInputs), null = not recorded; `policy` = what it would cost. */
  add(recorded: readonly ChargedInput[] | null, policy: number): void {
    this.#requests++;
    this.#policy += policy;
    if (recorded === null || this.#price === null) return;
    this.#recordedRequests++;
    for (const input of recorded) this.#recorded += inputCost(this.#price, input);
  }

  get cost(): SessionCost {
    const requests = { requests: this.#requests, recordedRequests: this.#recordedRequests };
    if (this.#price === null) return { ...requests, recorded: null, policy: null };
    return { ...requests, recorded: this.#recordedRequests === 0 ? null : this.#recorded, policy: this.#policy };
  }
}
